/** Whether what a page shows can be read: evaluated in a browser. */

/** Texts with a contrast below 4.5 to 1 against their background, with all layers over either. */
export const UNREADABLE = `(() => {
  const pen = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', { willReadFrequently: true });
  const rgba = (colour) => {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], under) => [r, g, b].map((part, i) => part * a + under[i] * (1 - a));
  const luminance = (colour) => {
    const [r, g, b] = colour.map((part) => part / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const path = (element) => (element ? [...path(element.parentElement), element] : []);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = new Set();
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (texts.currentNode.data.trim() === '' || !element.checkVisibility() || element.closest('.hidden, .skip')) continue;
    let ground = [255, 255, 255];
    let seen = 1;
    for (const one of path(element)) {
      const style = getComputedStyle(one);
      ground = over(rgba(style.backgroundColor), ground);
      seen *= Number(style.opacity);
    }
    const [r, g, b, a] = rgba(getComputedStyle(element).color);
    const [low, high] = [luminance(ground), luminance(over([r, g, b, a * seen], ground))].sort((x, y) => x - y);
    const ratio = (high + 0.05) / (low + 0.05);
    if (ratio < 4.5) found.add(element.className + ' ' + ratio.toFixed(1));
  }
  return [...found];
})()`;
