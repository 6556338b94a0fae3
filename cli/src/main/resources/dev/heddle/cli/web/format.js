// Figures as people read them. The units are those of `heddle top`.

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

export const count = number => whole.format(number || 0);

/** A rate: small ones with a decimal place. */
export const rate = number => (number > 0 && number < 10 ? number.toFixed(1) : count(number));

export const percent = share => `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;

export function bytes(number) {
  return number < 10 * 2 ** 30 ? `${count(number / 2 ** 20)} MB` : `${count(number / 2 ** 30)} GB`;
}

/** A duration with three digits, in a suitable unit. */
export function nanos(number) {
  if (!number) {
    return '0';
  }
  const [value, unit] = number < 1e3 ? [number, 'ns'] : number < 1e6 ? [number / 1e3, 'µs']
    : number < 1e9 ? [number / 1e6, 'ms'] : [number / 1e9, 's'];
  return unit === 's' && value >= 60 ? millis(number / 1e6) : `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}

/** A duration in seconds, minutes, hours or days. */
export function millis(number) {
  const seconds = Math.floor(number / 1000);
  if (seconds < 60) {
    return `${seconds} s`;
  }
  if (seconds < 3600) {
    return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  }
  const hours = Math.floor(seconds / 3600);
  return hours < 48 ? `${hours} h ${Math.floor(seconds / 60) % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
