const answer = await fetch("api/1/sections");
const sections = await answer.json();
document.getElementById("page").textContent = `${sections.count} assets`;
