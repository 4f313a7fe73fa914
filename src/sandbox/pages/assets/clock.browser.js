// A clock runs on from the instant that the sandbox wrote into it, by the browser's own pace.
(() => {
  const seoulMs = 9 * 3600000;
  const begun = new WeakMap();
  const tick = () => {
    for (const it of document.querySelectorAll("[data-clock] time")) {
      if (!begun.has(it)) begun.set(it, Date.parse(it.dateTime) - performance.now());
      const at = new Date(begun.get(it) + performance.now() + seoulMs);
      it.textContent = at.toISOString().slice(0, 19).replace("T", " ");
    }
  };
  if (document.querySelector("[data-clock]")) setInterval(tick, 250);
})();
