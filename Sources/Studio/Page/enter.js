// Keeps the key for changes in this tab, and takes the token out of the address.
const meta = document.querySelector("meta[name=liveedit-key]");
sessionStorage.setItem("liveedit.key", meta?.getAttribute("content") ?? "");
location.replace("./");
