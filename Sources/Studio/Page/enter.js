// Stores the key for changes in this tab, and removes the token from the address.
const meta = document.querySelector("meta[name=liveedit-key]");
sessionStorage.setItem("liveedit.key", meta?.getAttribute("content") ?? "");
location.replace("./");
