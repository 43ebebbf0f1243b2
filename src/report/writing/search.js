// Shows only the sections in which a text occurs, and marks its facts, steps and places. Enter leads to the next marked step.
(() => {
  'use strict';
  const box = document.querySelector('nav input'), said = document.querySelector('nav output');
  if (!box) return;
  const within = (root, selector) => [...root.querySelectorAll(selector)];
  const sections = within(document, 'main > section[id]:not(#compare)');
  const textOf = (section) => {
    const copy = section.cloneNode(true);
    for (const control of within(copy, 'button, label')) control.remove();
    return copy.textContent.toLowerCase();
  };
  const texts = new Map(sections.map((section) => [section, textOf(section)]));
  let steps = [], next = 0;

  const filter = () => {
    const wanted = box.value.trim().toLowerCase();
    for (const section of sections) {
      section.hidden = !texts.get(section).includes(wanted);
      const links = within(document, `nav a[href="#${section.id}"], .classes a[href="#${section.id}"]`);
      for (const link of links) link.closest('li, tr').hidden = section.hidden;
      for (const part of within(section, '.fact, .causes .formula, .steps > li, .state tr')) {
        const text = part.dataset.place ?? part.textContent;
        part.classList.toggle('found', wanted !== '' && text.toLowerCase().includes(wanted));
      }
    }
    steps = within(document, 'main > section:not([hidden]) .steps > .found');
    next = 0;
    const shown = sections.filter((section) => !section.hidden).length;
    said.textContent = wanted && `${box.dataset.of}: ${shown} of ${sections.length}; steps: ${steps.length}`;
  };

  const lead = () => {
    if (steps.length === 0) return;
    const step = steps[next++ % steps.length];
    location.hash = `${step.closest('.trace').dataset.id}/step-${step.dataset.step}`;
  };

  for (const part of [box, said]) part.hidden = false;
  box.addEventListener('input', filter);
  box.addEventListener('keydown', (event) => event.key === 'Enter' && lead());
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.altKey || event.ctrlKey || event.metaKey || event.target.matches('input')) return;
    box.focus();
    event.preventDefault();
  });
})();
