// Steps through the traces of a page, and lights up what facts speak of. Everything is on the page without it.
(() => {
  'use strict';
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  // The places that states show, on the whole page: those that contain one of some words, without others, pinned ones on top.
  const chosen = { shown: [], hidden: [], pinned: [], changed: false, version: 0 };
  const choose = (text, changed) => {
    const words = text.toLowerCase().split(/\s+/).filter((word) => !/^[-^]?$/.test(word));
    const after = (sign) => words.filter((word) => word[0] === sign).map((word) => word.slice(1));
    const shown = words.filter((word) => !/^[-^]/.test(word));
    Object.assign(chosen, { shown, hidden: after('-'), pinned: after('^'), changed, version: chosen.version + 1 });
  };
  const named = (place, words) => words.some((word) => place.toLowerCase().includes(word));
  const isPinned = (place) => named(place, chosen.pinned);
  const isShown = (place) => isPinned(place)
    || (!named(place, chosen.hidden) && (chosen.shown.length === 0 || named(place, chosen.shown)));

  // A trace with the state after one of its steps.
  const stepper = (root) => {
    const id = root.dataset.id, last = Number(root.dataset.last);
    const output = root.querySelector('output'), slider = root.querySelector('.controls input');
    const state = root.querySelector('.state'), table = state.querySelector(':scope > table > tbody');
    const steps = all('.steps > li', root), caption = state.querySelector('.caption');
    const rows = all('.state > table tr', root), first = rows.map((row) => row.lastChild.textContent);
    const named = [...steps.keys()].filter((step) => steps[step].children[1].textContent);
    let now = 0, marked = [], filtered = 0, sets, parts;
    // An address shows its step by this script, and not by the browser, which would scroll the controls away.
    for (const step of steps) step.removeAttribute('id');

    // The values after a step: those of the initial state, and what has been set since.
    const values = (at) => {
      sets ??= steps.map((step) => (step.dataset.set?.split('\n') ?? []).map((line) => [parseInt(line), line.slice(line.indexOf(' ') + 1)]));
      const found = first.slice();
      for (let step = 1; step <= at; step++) for (const [row, value] of sets[step]) found[row] = value;
      return found;
    };

    // What belongs to a step: its line, and parts of drawings.
    const partsOf = (step) => {
      parts ??= Map.groupBy(all('[data-step]', root), (part) => Number(part.dataset.step));
      return parts.get(step) ?? [];
    };

    const draw = () => {
      const old = values(Number(steps[now].dataset.from ?? Math.max(now - 1, 0))), current = values(now);
      // Pinned places first, then changed ones.
      const ranks = rows.map((row, index) => (isPinned(row.dataset.place) ? 0 : old[index] !== current[index] ? 1 : 2));
      for (const rank of [0, 1, 2]) table?.append(...rows.filter((row, index) => ranks[index] === rank));
      for (const row of all('[data-place]', state)) row.hidden = !isShown(row.dataset.place);
      if (chosen.changed) rows.forEach((row, index) => { row.hidden ||= ranks[index] === 2; });
      if (filtered !== chosen.version) {
        filtered = chosen.version;
        for (const line of all('.steps ul:not(.remarks) > li', root)) line.hidden = !isShown(/^[^\s:]*/.exec(line.textContent)[0]);
      }
      state.scrollTop = 0;
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
      for (const part of marked) {
        part.classList.remove('now');
        part.removeAttribute('aria-current');
      }
      marked = partsOf(now);
      for (const part of marked) part.classList.add('now');
      steps[now].setAttribute('aria-current', 'step');
      caption.textContent = now === 0 ? 'Initial state' : `State after step ${now}`;
      output.textContent = `Step ${now} of ${last}: ${steps[now].querySelector('b').textContent}`;
      slider.value = now;
      slider.setAttribute('aria-valuetext', output.textContent);
      for (const button of all('[data-move]', root)) button.disabled = goal(button.dataset.move) === now;
    };

    // Where a button leads: the step of the next named position, after the last one the first one again.
    const goal = (move) => {
      if (move === 'first') return 0;
      if (move === 'last') return last;
      if (move === 'named') return named.find((step) => step > now) ?? named[0];
      return place(now + Number(move));
    };

    // After the last step of an infinite trace, its loop begins again.
    const place = (at) => {
      const start = root.dataset.loop;
      return at > last && start !== undefined ? Number(start) + 1 : Math.min(Math.max(at, 0), last);
    };

    const go = (at) => {
      now = place(at);
      draw();
      for (const part of [...all('.now', root), root]) part.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    };
    const address = () => `#${id}/step-${now}`;

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
    return { root, go, draw, move: (to) => go(goal(to)), light, address };
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

  // `#class-1/step-3` opens that step, also from outside of the page; the address before the first one, the first state.
  const follow = () => {
    const [, id, at] = /^#(.+)\/step-(\d+)$/.exec(location.hash) ?? [];
    active = steppers.get(id) ?? active;
    if (!steppers.has(id)) return location.hash === '' && active?.go(0);
    let folded = active.root.querySelector('.beside');
    while ((folded = folded.parentElement.closest('details'))) folded.open = true;
    active.go(Number(at));
  };
  addEventListener('hashchange', follow);
  if (location.hash) follow();

  // The step that is shown is in the address.
  const keep = () => location.hash !== active.address() && history.pushState(null, '', active.address());

  document.addEventListener('click', (event) => {
    const button = event.target.closest('[data-move]'), part = event.target.closest('[data-step]');
    const found = of(button ?? part);
    if (!found || event.target.closest('a, summary')) return;
    active = found;
    if (button) found.move(button.dataset.move);
    else found.go(Number(part.dataset.step));
    keep();
  });
  for (const [type, then] of [['input', (found, slider) => found.go(Number(slider.value))], ['change', keep]]) {
    document.addEventListener(type, (event) => {
      if (!event.target.matches('.controls input')) return;
      active = of(event.target);
      then(active, event.target);
    });
  }

  const moves = { ArrowLeft: -1, ArrowRight: 1 };
  document.addEventListener('input', (event) => {
    const choice = event.target.closest('.choice');
    if (!choice) return;
    const [text, changed] = all('input', choice);
    choose(text.value, changed.checked);
    for (const other of all('.choice')) [other.children[0].value, other.querySelector('label input').checked] = [text.value, changed.checked];
    for (const shown of steppers.values()) shown.draw();
  });

  // The arrow keys move through the trace that has the focus, or else through the one used last. What can scroll keeps them.
  let moved = false;
  document.addEventListener('keydown', (event) => {
    const by = moves[event.key];
    const at = document.activeElement;
    if (!by || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || !active) return;
    if (at.matches('input, select') || (at.matches('.wide, .drawing') && at.scrollWidth > at.clientWidth)) return;
    active = of(at) ?? active;
    active.move(by);
    moved = true;
    event.preventDefault();
  });
  document.addEventListener('keyup', (event) => {
    if (!moved || !moves[event.key]) return;
    moved = false;
    keep();
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
