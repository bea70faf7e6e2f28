import styles from './icon.module.css'

/** 16 × 16 line drawings. */
const iconPaths = {
  help: 'M8 1.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM6.2 6.3a1.9 1.9 0 1 1 2.6 1.8c-.6.3-.8.6-.8 1.1M8 11.3v.1',
  globe:
    'M8 1.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM1.8 8h12.4M8 1.5c2.2 2 2.6 4 2.6 6.5S10.2 12.5 8 14.5C5.8 12.5 5.4 10.5 5.4 8S5.8 3.5 8 1.5z',
  bell: 'M4 11.5V7a4 4 0 0 1 8 0v4.5l1 1H3zM6.8 14.3h2.4M8 3V1.8',
  person: 'M8 8a2.6 2.6 0 1 0 0-5.2A2.6 2.6 0 0 0 8 8zM3 13.5c.6-2.4 2.6-3.6 5-3.6s4.4 1.2 5 3.6',
  down: 'm4 6 4 4 4-4',
  up: 'm4 10 4-4 4 4',
  left: 'M10 3.5 5.5 8l4.5 4.5',
  right: 'm6 3.5 4.5 4.5L6 12.5',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  more: 'M3 8h.2M8 8h.2M13 8h.2',
  plus: 'M8 3v10M3 8h10',
  close: 'M4 4l8 8M12 4l-8 8',
  search: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.5 10.5 14 14',
  play: 'M5 3.2v9.6L12.5 8z',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  stop: 'M4 4h8v8H4z',
  star: 'M8 1.8l1.9 3.9 4.3.6-3.1 3 .7 4.3L8 11.6l-3.8 2 .7-4.3-3.1-3 4.3-.6z',
  check: 'm3.5 8.5 3 3 6-7',
  dash: 'M4 8h8',
  arrowUp: 'M8 13V3M4 7l4-4 4 4',
  arrowDown: 'M8 3v10M4 9l4 4 4-4',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  info: 'M8 1.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM8 7.4v3.8M8 4.7v.1',
  warning: 'M8 1.8 14.8 13.8H1.2zM8 6v4M8 12v.1',
  stopSign: 'M5.2 1.5h5.6l3.7 3.7v5.6l-3.7 3.7H5.2l-3.7-3.7V5.2zM8 4.5v4.2M8 11.2v.1',
  external: 'M6.5 3h-4v10.5H13v-4M9 2.5h4.5V7M13.5 2.5 7.5 8.5',
} as const
export type IconName = keyof typeof iconPaths

/** Decorative icon that repeats the text next to it. Never the only carrier of meaning. */
export function Icon({ name, filled: isFilled = false }: { name: IconName; filled?: boolean }) {
  return (
    <svg
      className={`${styles.icon} ${name === 'more' ? styles.bold : ''} ${isFilled ? styles.filled : ''}`}
      viewBox="0 0 16 16"
      aria-hidden="true"
    >
      <path d={iconPaths[name]} />
    </svg>
  )
}

export function ProductMark() {
  return (
    <svg className={styles.mark} viewBox="0 0 26 26" aria-hidden="true">
      <rect width="26" height="26" rx="7" />
      <path d="M6.5 20.5 10.7 5.5M19.5 20.5 15.3 5.5" strokeWidth="2.4" />
      <path d="M13 19.5v-2.6M13 13.6v-2.3M13 8.3V6.5" strokeWidth="2" />
    </svg>
  )
}
