// Steps through the traces of a page, and lights up what facts speak of. Everything is on the page without it.
'use strict';
(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  // A trace with the state after one of its steps.
  const stepper = (root) => {
    const id = root.dataset.id, last = Number(root.dataset.last);
    const [before, after] = all('.controls button', root);
    const output = root.querySelector('output'), state = root.querySelector('.state');
    const steps = all('.steps > li', root), caption = state.querySelector('.caption');
    const rows = all('.state > table tr', root), first = rows.map((row) => row.lastChild.textContent);
    let now = 0;

    // The values after a step: those of the initial state, and what has been set since.
    const values = (at) => {
      const found = first.slice();
      for (const step of steps.slice(1, at + 1)) {
        for (const line of step.dataset.set?.split('\n') ?? []) found[parseInt(line)] = line.slice(line.indexOf(' ') + 1);
      }
      return found;
    };

    const draw = () => {
      const old = values(Math.max(now - 1, 0)), current = values(now);
      rows.forEach((row, index) => {
        const changed = old[index] !== current[index], cell = row.lastChild;
        row.classList.toggle('changed', changed);
        cell.textContent = current[index];
        if (changed) {
          const was = document.createElement('del');
          was.textContent = old[index];
          cell.prepend(was);
        }
      });
      for (const part of all('[data-step]', root)) part.classList.toggle('now', Number(part.dataset.step) === now);
      for (const step of steps) step.removeAttribute('aria-current');
      steps[now].setAttribute('aria-current', 'step');
      caption.textContent = now === 0 ? 'Initial state' : `State after step ${now}`;
      output.textContent = `Step ${now} of ${last}: ${steps[now].querySelector('b').textContent}`;
      before.disabled = now === 0;
      after.disabled = now === last && root.dataset.loop === undefined;
    };

    // After the last step of an infinite trace, its loop begins again.
    const go = (at) => {
      const start = root.dataset.loop;
      now = at > last && start !== undefined ? Number(start) + 1 : Math.min(Math.max(at, 0), last);
      draw();
    };

    const light = (wanted, places) => {
      for (const part of all('[data-step]', root)) part.classList.toggle('lit', wanted.includes(part.dataset.step));
      for (const row of all('[data-place]', root)) {
        const place = row.dataset.place;
        const within = (named) => place === named || place.startsWith(`${named}.`) || place.startsWith(`${named}[`);
        row.classList.toggle('lit', places.some(within));
      }
    };

    root.classList.add('stepped');
    root.querySelector('.controls').hidden = false;
    state.hidden = false;
    draw();
    const move = (by) => {
      go(now + by);
      steps[now].scrollIntoView({ block: 'nearest' });
    };
    return { root, id, go, move, light };
  };

  const steppers = new Map(all('.trace').map((root) => [root.dataset.id, stepper(root)]));
  const of = (element) => steppers.get(element?.closest('.trace')?.dataset.id);
  let active = steppers.values().next().value;

  // Facts: what they speak of is lit while the pointer is over them or they have the focus, and stays so after a click.
  for (const section of all('section')) {
    const shown = steppers.get(section.querySelector('.trace')?.dataset.id);
    if (!shown) continue;
    let kept = null;
    const show = (fact) => {
      const index = fact?.dataset.fact;
      const item = fact && (fact.matches('.fact') ? fact : section.querySelector(`.fact[data-fact="${index}"]`));
      shown.light(item?.dataset.steps?.split(' ') ?? [], item?.dataset.places?.split('\n') ?? []);
      for (const part of all('.fact, .formula [data-fact]', section)) {
        part.classList.toggle('lit', Boolean(fact) && (part === fact || (index !== undefined && part.dataset.fact === index)));
      }
    };
    for (const fact of all('.fact, .formula [data-fact]', section)) {
      fact.addEventListener('mouseenter', () => show(fact));
      fact.addEventListener('mouseleave', () => show(kept));
      fact.addEventListener('focus', () => show(fact));
      fact.addEventListener('blur', () => show(kept));
      fact.addEventListener('click', () => {
        kept = kept === fact ? null : fact;
        show(kept);
      });
    }
  }

  // `#class-1/step-3` opens that step, also from outside of the page.
  const follow = () => {
    const [, id, at] = /^#(.+)\/step-(\d+)$/.exec(location.hash) ?? [];
    if (!steppers.has(id)) return;
    active = steppers.get(id);
    active.root.querySelector('.beside').closest('details')?.setAttribute('open', '');
    active.go(Number(at));
  };
  addEventListener('hashchange', follow);
  follow();

  document.addEventListener('click', (event) => {
    const button = event.target.closest('[data-move]'), part = event.target.closest('[data-step]');
    const found = of(button ?? part);
    if (!found) return;
    active = found;
    if (button) found.move(Number(button.dataset.move));
    else if (!event.target.closest('a, summary')) found.go(Number(part.dataset.step));
  });

  // The arrow keys move through the trace that has the focus, or else through the one used last. What can scroll keeps them.
  document.addEventListener('keydown', (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const at = document.activeElement;
    if (!by || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || !active) return;
    if (at.matches('.wide, .drawing') && at.scrollWidth > at.clientWidth) return;
    active = of(at) ?? active;
    active.move(by);
    event.preventDefault();
  });

  // On paper, nothing is folded.
  let opened = [];
  addEventListener('beforeprint', () => {
    opened = all('details:not([open])');
    for (const folded of opened) folded.open = true;
  });
  addEventListener('afterprint', () => {
    for (const folded of opened) folded.open = false;
  });
})();
