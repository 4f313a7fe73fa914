// The script of all pages. It shows whether the sandbox is connected, and renews what is marked as live
// whenever anything changed, whichever process did it.
(() => {
  const pauseMs = 200;
  const line = document.getElementById("line");
  let isBusy = false;
  let isStale = false;

  const isAtEnd = (it) => it.scrollHeight - it.scrollTop - it.clientHeight < 80;
  const toEnd = (it) => {
    it.scrollTop = it.scrollHeight;
  };

  // What a person opened stays open, and a button that copied says so.
  const keepTouched = (old, fresh) => {
    for (const it of old.querySelectorAll("details[open][id]"))
      fresh.querySelector(`#${CSS.escape(it.id)}`)?.setAttribute("open", "");
    for (const it of old.querySelectorAll("button[data-copy]"))
      fresh.querySelector(`[data-copy="${it.dataset.copy}"]`)?.replaceWith(it.cloneNode(true));
  };

  // A child that is still the same stays the same node: focus and selection stay in it.
  const renewed = (region, node) => {
    const old = node.id ? region.querySelector(`:scope > #${CSS.escape(node.id)}`) : null;
    if (old === null) return document.importNode(node, true);
    // What holds live parts itself is renewed part by part.
    if (old.querySelector("[data-live]")) return old;
    keepTouched(old, node);
    // A button that copies is no reason to keep a code that is used by now.
    const focused = document.activeElement;
    const isFocused = old.contains(focused) && !focused.dataset.copy;
    return old.isEqualNode(node) || isFocused ? old : document.importNode(node, true);
  };

  const renew = (region, fresh) => {
    if (region.innerHTML === fresh.innerHTML) return;
    const wasAtEnd = region.dataset.live === "end" && isAtEnd(region);
    const nodes = [...fresh.childNodes].map((node) => renewed(region, node));
    for (const node of [...region.childNodes]) if (!nodes.includes(node)) node.remove();
    let place = region.firstChild;
    for (const node of nodes) {
      if (node === place) place = place.nextSibling;
      else region.insertBefore(node, place);
    }
    if (wasAtEnd) toEnd(region);
    showCopy();
  };

  const reload = async () => {
    const answer = await fetch(location.href);
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const region of document.querySelectorAll("[data-live]")) {
      const found = fresh.getElementById(region.id);
      if (found) renew(region, found);
    }
  };

  const pause = () => new Promise((done) => setTimeout(done, pauseMs));
  const refresh = async () => {
    isStale = true;
    if (isBusy) return;
    isBusy = true;
    while (isStale) {
      isStale = false;
      await reload().catch(() => undefined);
      await pause();
    }
    isBusy = false;
  };

  const showConnection = (state) => {
    line.dataset.state = state;
    line.textContent = line.dataset[state];
  };

  for (const it of document.querySelectorAll('[data-live="end"]')) toEnd(it);

  // Pages that came over a plain network have no clipboard: there the buttons stay hidden.
  const showCopy = () => {
    if (!navigator.clipboard) return;
    for (const it of document.querySelectorAll("button[data-copy][hidden]")) it.hidden = false;
  };
  showCopy();
  document.addEventListener("click", async ({ target }) => {
    const button = target.closest?.("button[data-copy]");
    if (!button) return;
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = button.dataset.done;
  });

  // The navigation of a narrow screen is wider than the screen.
  const list = document.querySelector(".pages ul");
  const leftOf = (it) => it.getBoundingClientRect().left;
  const here = list.querySelector("[aria-current]");
  if (here) list.scrollLeft += leftOf(here) - leftOf(list) - 32;

  // After a form the page is a new one: a person goes on where the button was pressed. What was pressed
  // is known by the nearest name around it and by its place there, since the button itself may change.
  const placeOf = (button) => {
    const around = button.closest("li[id], section[aria-labelledby]");
    const name = around?.id ? `#${CSS.escape(around.id)}` : around?.getAttribute("aria-labelledby");
    const at = around ? [...around.querySelectorAll("button")].indexOf(button) : -1;
    if (at < 0) return undefined;
    return {
      path: location.pathname,
      at,
      around: around.id ? name : `[aria-labelledby="${name}"]`,
    };
  };
  addEventListener("submit", ({ submitter }) => {
    const place = submitter && placeOf(submitter);
    if (place) sessionStorage.setItem("pressed", JSON.stringify(place));
  });
  const pressed = JSON.parse(sessionStorage.getItem("pressed"));
  sessionStorage.removeItem("pressed");
  if (pressed?.path === location.pathname && !document.querySelector("[autofocus]")) {
    const buttons = document.querySelector(pressed.around)?.querySelectorAll("button") ?? [];
    (buttons[pressed.at] ?? buttons[buttons.length - 1])?.focus();
  }

  // A browser has six lines to one address: only the page that is looked at keeps one.
  let changes;
  const connect = () => {
    changes = new EventSource("/_sandbox/events?only=changes");
    changes.addEventListener("open", () => {
      showConnection("on");
      void refresh();
    });
    changes.addEventListener("error", () => showConnection("off"));
    changes.addEventListener("change", refresh);
  };
  const disconnect = () => changes?.close();
  document.addEventListener("visibilitychange", () => {
    disconnect();
    if (!document.hidden) connect();
  });
  addEventListener("pagehide", disconnect);
  addEventListener("pageshow", (it) => {
    if (it.persisted) {
      disconnect();
      connect();
    }
  });
  if (!document.hidden) connect();
})();
