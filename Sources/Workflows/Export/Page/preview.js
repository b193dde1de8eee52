"use strict";
(() => {
  /** How long a mouse rests on a picture before it plays, in milliseconds. */
  const REST = 150;
  /** A press that is longer lasts as long as it is held, in milliseconds. */
  const HELD = 400;

  const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
  /** The button that shows the picture under the mouse before its edit, while B is held. */
  let pointed = null;

  /** Lets a picture play its movie: silent after resting on it, with its sound while or after it is pressed. */
  function player(picture) {
    const video = picture.querySelector(".movie");
    const button = picture.querySelector(".play");
    let timer = 0, pressed = 0, isHovering = false;

    function shows(isPlaying) {
      picture.classList.toggle("playing", isPlaying);
      button.setAttribute("aria-pressed", String(isPlaying));
    }
    function stop() {
      clearTimeout(timer);
      isHovering = false;
      video.pause();
      shows(false);
    }
    function play(isMuted) {
      clearTimeout(timer);
      isHovering = isMuted;
      video.muted = isMuted;
      if (video.readyState > 0) video.currentTime = 0;
      video.play().catch((error) => {
        // Without sound it may always play.
        if (error.name === "NotAllowedError" && !isMuted) play(true);
        else if (error.name !== "AbortError") stop();
      });
    }
    video.addEventListener("playing", () => shows(true));
    video.addEventListener("ended", stop);
    video.addEventListener("error", stop);
    button.addEventListener("pointerenter", (event) => {
      if (event.pointerType !== "mouse" || isStill()) return;
      timer = setTimeout(play, REST, true);
    });
    button.addEventListener("pointerleave", (event) => {
      clearTimeout(timer);
      if (isHovering || (event.pointerType === "mouse" && picture.classList.contains("playing"))) stop();
    });
    button.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      pressed = event.timeStamp;
      play(false);
    });
    button.addEventListener("pointerup", (event) => {
      if (event.timeStamp - pressed > HELD) return stop();
      // A touch may be heard only once it has ended.
      if (event.button === 0) video.muted = isHovering = false;
    });
    button.addEventListener("pointercancel", stop);
    button.addEventListener("contextmenu", (event) => { if (event.pointerType === "touch") event.preventDefault(); });
    // Keys and screen readers click without pressing.
    button.addEventListener("click", (event) => {
      if (event.detail !== 0) return;
      if (picture.classList.contains("playing")) stop(); else play(false);
    });
    button.addEventListener("keydown", (event) => { if (event.key === "Escape") stop(); });
    button.hidden = false;
    return stop;
  }

  for (const asset of document.querySelectorAll(".asset")) {
    const picture = asset.querySelector(".picture");
    const stop = picture.querySelector(".movie") ? player(picture) : () => {};
    const [before, compare] = [asset.querySelector(".before"), asset.querySelector(".compare")];
    if (!before) continue;
    const show = (isBefore) => {
      if (isBefore) stop();
      before.hidden = !isBefore;
      compare.setAttribute("aria-pressed", String(isBefore));
    };
    compare.addEventListener("click", () => show(before.hidden));
    compare.hidden = false;
    asset.addEventListener("pointerenter", () => { pointed = asset; });
    asset.addEventListener("pointerleave", () => { if (pointed === asset) pointed = null; });
    asset.showBefore = show;
  }

  /** The asset that a key is for: the one with the focus, or under the mouse. */
  const target = () => document.activeElement.closest(".asset") ?? pointed;
  let held = null;
  addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "b" || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    held = target();
    held?.showBefore?.(true);
  });
  addEventListener("keyup", (event) => {
    if (event.key.toLowerCase() !== "b") return;
    held?.showBefore?.(false);
    held = null;
  });
  addEventListener("blur", () => { held?.showBefore?.(false); held = null; });
})();
