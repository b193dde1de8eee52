// Keeps the key for changes in this tab, and takes the token out of the address.
sessionStorage.setItem("liveedit.key", document.querySelector("meta[name=liveedit-key]").content);
location.replace("./");
