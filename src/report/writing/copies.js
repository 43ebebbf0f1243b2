// Copies and saves traces, formulas and commands.
(() => {
  'use strict';
  const unpacked = (packed) => {
    const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))).text();
  };
  // A step to a line, and what it changes below.
  const text = (trace) => [...trace.querySelectorAll('.steps > li')].map((step) => {
    const [number, names, what] = step.children;
    const head = [...what.querySelectorAll(':scope > :is(b, strong)')].map((part) => part.textContent).join(' ');
    const lines = [...what.querySelectorAll('li')].map((line) => `\n        ${line.textContent}`);
    return `${number.textContent.padStart(4)}  ${names.textContent && `${names.textContent}  `}${head}${lines.join('')}\n`;
  }).join('');
  const formats = {
    itf: async (group) => JSON.stringify(JSON.parse(await unpacked(group.dataset.itf)), null, 2),
    mermaid: (group) => group.dataset.mermaid,
    text: (group) => text(group.closest('.trace')),
    // The block before the button.
    block: (_, button) => button.previousElementSibling.textContent,
  };

  const save = (name, content) => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([content]));
    link.download = name;
    link.click();
    URL.revokeObjectURL(link.href);
  };

  for (const block of document.querySelectorAll('main > pre, section > .formula')) {
    block.insertAdjacentHTML('afterend', '<button type="button" class="block" data-copy="block">Copy</button>');
  }
  for (const group of document.querySelectorAll('.copies')) group.hidden = false;

  document.addEventListener('click', async (event) => {
    const button = event.target.closest('[data-copy]');
    if (!button) return;
    const name = (button.dataset.name ??= button.textContent);
    try {
      const content = await formats[button.dataset.copy](button.parentElement, button);
      if (button.dataset.save) save(button.dataset.save, content);
      else await navigator.clipboard.writeText(content);
      button.textContent = button.dataset.save ? 'Saved' : 'Copied';
    } catch (error) {
      button.textContent = `${name}: ${error.message}`;
    }
    setTimeout(() => { button.textContent = name; }, 2000);
  });
})();
