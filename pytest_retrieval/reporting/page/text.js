// Texts and numbers as the terminal writes them. Everything from the report enters the page through
// textContent; signs that could reorder or hide what follows are shown as their escapes.

const UNSAFE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

function harmless(text) {
  return String(text).replace(UNSAFE, (sign) => {
    const code = sign.codePointAt(0);
    if (code > 0xffff) return "\\U" + code.toString(16).padStart(8, "0");
    const short = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}[sign];
    if (short) return short;
    return code > 0xff ? "\\u" + code.toString(16).padStart(4, "0") : "\\x" + code.toString(16).padStart(2, "0");
  });
}

function score(value) {
  return value == null ? "-" : value.toFixed(3);
}

function signed(value) {
  if (value == null) return "-";
  const text = value.toFixed(3);
  if (Number(text) === 0) return "0.000";
  return value > 0 ? "+" + text : text;
}

function count(number, noun, nouns = noun + "s") {
  return number.toLocaleString("en") + " " + (number === 1 ? noun : nouns);
}

function clip(text, length) {
  const signs = Array.from(text);
  return signs.length > length ? signs.slice(0, length - 1).join("") + "…" : text;
}

// An element: attributes by name, children as elements or texts.
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

// A text from the report: on its own, so that its direction moves nothing around it.
function foreign(text) {
  return make("bdi", {}, harmless(text));
}

function sliceLabel(slice) {
  const entries = Object.entries(slice);
  if (!entries.length) return "all";
  const [name, value] = entries[0];
  if (entries.length === 1 && name === "kind" && value !== "all") return harmless(value);
  if (entries.length === 1 && name === "kinds") return value.map(harmless).join(" + ");
  return entries.map(([key, one]) => harmless(key) + ": " + harmless(one)).join(", ");
}
