// Two kinds side by side: their facts, and their steps in the alignment with as many equal labels beside each other as possible.
(() => {
  'use strict';
  const section = document.getElementById('compare');
  if (!section) return;
  const selects = [...section.querySelectorAll('select')], result = section.querySelector('div');
  const element = (name, content = [], properties = {}) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...content);
    return made;
  };
  const list = (texts) => element('ul', texts.map((text) => element('li', [text])));

  const stepsOf = (id) => [...document.querySelectorAll(`.trace[data-id="${id}"] .steps > li`)].map((step) => ({
    label: step.querySelector('b').textContent,
    address: `#${id}/step-${step.dataset.step}`,
    lines: step.dataset.step === '0' ? [] : [...step.querySelectorAll('li')].map((line) => line.textContent),
  }));
  const action = (step) => step.label.split('(')[0];
  const worth = (left, right) => (left.label === right.label ? 3 : action(left) === action(right) ? 1 : 0);

  // Pairs of steps; one side of a pair may be missing. (As `align` of the program.)
  const align = (left, right) => {
    const best = Array.from({ length: left.length + 1 }, () => new Uint32Array(right.length + 1));
    for (let l = left.length - 1; l >= 0; l--) {
      for (let r = right.length - 1; r >= 0; r--) {
        const value = worth(left[l], right[r]);
        best[l][r] = Math.max(value && value + best[l + 1][r + 1], best[l + 1][r], best[l][r + 1]);
      }
    }
    const rows = [];
    for (let l = 0, r = 0; l < left.length || r < right.length;) {
      const value = l < left.length && r < right.length && worth(left[l], right[r]);
      if (value && best[l][r] === value + best[l + 1][r + 1]) rows.push([left[l++], right[r++]]);
      else if (r === right.length || (l < left.length && best[l][r] === best[l + 1][r])) rows.push([left[l++], null]);
      else rows.push([null, right[r++]]);
    }
    return rows;
  };

  const isSame = ([left, right]) => left && right && left.label === right.label && `${left.lines}` === `${right.lines}`;
  const cell = (step, same) => {
    if (!step) return element('td', ['–'], { className: 'nothing' });
    const number = element('a', [step.address.split('-').pop()], { href: step.address });
    return element('td', [number, ` ${step.label}`, ...(same || !step.lines.length ? [] : [list(step.lines)])]);
  };

  const draw = () => {
    const ids = selects.map((select) => select.value);
    const facts = ids.map((id) => {
      const found = document.getElementById(id).querySelectorAll(':scope > .facts .fact, :scope > .wide > .causes .formula');
      return [...new Set([...found].map((fact) => fact.textContent))];
    });
    const [left, right] = facts.map((own, side) => own.filter((fact) => !facts[1 - side].includes(fact)));
    const both = facts[0].filter((fact) => facts[1].includes(fact));
    const rows = align(...ids.map(stepsOf)), same = rows.filter(isSame).length;
    const part = rows.findIndex((row) => !isSame(row));
    const table = element('table', rows.map((row) => {
      const equal = isSame(row);
      return element('tr', row.map((step) => cell(step, equal)), { className: equal ? 'same' : '' });
    }), { className: 'aligned' });
    const where = part < 0 ? 'Their steps are the same.'
      : `They share ${same} of ${rows.length} positions, and part at ${rows[part].map((step) => step?.label ?? 'no step').join(' | ')}.`;
    const parts = [['Both', both], ...ids.map((id, side) => [`Only ${id.replace('-', ' ')}`, [left, right][side]])];
    result.replaceChildren(
      ...parts.flatMap(([head, texts]) => (texts.length ? [element('h3', [head]), list(texts)] : [])),
      element('h3', ['Steps']), element('p', [where]), table,
    );
  };

  const follow = () => {
    const ids = /^#compare\/([^/]+)\/([^/]+)$/.exec(location.hash)?.slice(1);
    const known = (id, side) => [...selects[side].options].some((option) => option.value === id);
    if (!ids?.every(known)) return;
    ids.forEach((id, side) => { selects[side].value = id; });
    draw();
    section.scrollIntoView();
  };
  section.hidden = false;
  document.querySelector('nav [href="#compare"]').hidden = false;
  selects[1].selectedIndex = 1;
  section.addEventListener('change', () => { location.hash = `compare/${selects.map((select) => select.value).join('/')}`; });
  addEventListener('hashchange', follow);
  draw();
  follow();
})();
