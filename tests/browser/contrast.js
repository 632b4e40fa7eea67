// The texts in sight whose contrast with their ground is below 4.5 to 1.
() => {
  const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});

  // Relative luminance as WCAG 2.2 defines it; the canvas knows every way to write a colour.
  function luminance(colour) {
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const parts = [...canvas.getImageData(0, 0, 1, 1).data].map((value) => value / 255);
    const [red, green, blue] = parts.map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  }

  function ground(element) {
    for (let one = element; one; one = one.parentElement) {
      const colour = getComputedStyle(one).backgroundColor;
      if (colour !== "rgba(0, 0, 0, 0)") return colour;
    }
    return "white";
  }

  const low = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.data.trim(), element = walker.currentNode.parentElement;
    if (!text || !element.checkVisibility() || element.closest(":disabled, option, script")) continue;
    const both = [luminance(getComputedStyle(element).color), luminance(ground(element))];
    const ratio = (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
    if (ratio < 4.5) low.push(`${ratio.toFixed(2)}: ${element.className} ${text}`);
  }
  return low;
}
