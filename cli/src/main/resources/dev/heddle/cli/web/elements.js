// Builds elements. Text of the observed program reaches the page as text nodes only, never as HTML.

export const byId = id => document.getElementById(id);

export function element(tag, className, ...children) {
  const made = document.createElement(tag);
  if (className) {
    made.className = className;
  }
  made.append(...children);
  return made;
}

/** Replaces the text only if it differs, so that a selection of the user stays. */
export function setText(target, text) {
  if (target.textContent !== text) {
    target.textContent = text;
  }
}

/** The text with the words of a search marked. */
export function marked(text, words) {
  const parts = document.createDocumentFragment();
  const lower = text.toLowerCase();
  let at = 0;
  while (at < text.length) {
    const next = words
      .map(word => ({ word, begin: lower.indexOf(word, at) }))
      .filter(it => it.begin >= 0)
      .sort((a, b) => a.begin - b.begin || b.word.length - a.word.length)[0];
    if (!next) {
      break;
    }
    parts.append(text.slice(at, next.begin), element('mark', '', text.slice(next.begin, next.begin + next.word.length)));
    at = next.begin + next.word.length;
  }
  parts.append(text.slice(at));
  return parts;
}
