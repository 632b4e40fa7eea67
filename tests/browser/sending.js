// Tries to send something out in every way, and to run a script of its own; tells what was refused.
async (address) => {
  const refused = new Set();
  const elements = {img: "src", script: "src", iframe: "src", link: "href"};
  const all = new Promise((done) => {
    document.addEventListener("securitypolicyviolation", (event) => {
      refused.add(event.effectiveDirective);
      if (refused.size === Object.keys(elements).length + 1) done();
    });
  });
  fetch(address + "/fetch", {mode: "no-cors"}).catch(() => {});
  navigator.sendBeacon(address + "/beacon");
  for (const [tag, field] of Object.entries(elements)) {
    const element = document.createElement(tag);
    if (tag === "link") element.rel = "stylesheet";
    element[field] = address + "/" + tag;
    document.body.append(element);
  }
  const inline = document.createElement("script");
  inline.textContent = "window.taken = true";
  document.body.append(inline);
  await Promise.race([all, new Promise((late) => setTimeout(late, 20000))]);
  return {refused: [...refused].sort(), taken: window.taken === true};
}
