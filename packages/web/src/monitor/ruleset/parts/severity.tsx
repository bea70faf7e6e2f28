import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Health } from '@clearway/contract/monitor/page/schema.ts'
import type { Severity } from '@clearway/contract/monitor/ruleset/schema.ts'
import styles from './severity.module.css'

export type Sign = Severity | Health

/** Shape, glyph and word of each sign: never distinguished by color alone. */
const signs = {
  critical: {
    shape: 'M5.2 1h5.6L15 5.2v5.6L10.8 15H5.2L1 10.8V5.2z',
    glyph: 'M8 4.2v4.6M8 11.4v.1',
    word: msg`Critical`,
  },
  serious: { shape: 'M8 1.2 15.4 14.4H.6z', glyph: 'M8 6v4M8 12.2v.1', word: msg`Serious` },
  moderate: { shape: 'M8 .6 15.4 8 8 15.4.6 8z', glyph: 'M5 8h6', word: msg`Moderate` },
  minor: {
    shape: 'M8 1.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13z',
    glyph: 'm5 6.9 3 3 3-3',
    word: msg`Minor`,
  },
  good: { shape: 'M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1z', glyph: 'm4.8 8.3 2.2 2.2 4.2-4.6', word: msg`Good` },
  'needs review': {
    shape:
      'M3 1.5h10A1.5 1.5 0 0 1 14.5 3v10a1.5 1.5 0 0 1-1.5 1.5H3A1.5 1.5 0 0 1 1.5 13V3A1.5 1.5 0 0 1 3 1.5z',
    glyph: 'M5.9 6.2a2.1 2.1 0 1 1 2.9 2c-.6.3-.8.6-.8 1.2M8 11.8v.1',
    word: msg`Needs review`,
  },
} as const satisfies Record<Sign, unknown>

/** The part of a class or token name that belongs to a sign. */
const signName = (sign: Sign): string => (sign === 'needs review' ? 'review' : sign)
/** The word of a sign, to translate. */
export const signWord = (sign: Sign) => signs[sign].word

type ShapeProps = { sign: Sign; large?: boolean; word?: string }

/** The sign alone; its word must stand beside it, or be given to be heard. */
export function SignShape({ sign, large = false, word }: ShapeProps) {
  return (
    <svg
      className={large ? styles.large : styles.shape}
      viewBox="0 0 16 16"
      {...(word === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': word })}
    >
      <path className={styles[`fill-${signName(sign)}`]} d={signs[sign].shape} />
      <path className={styles.glyph} d={signs[sign].glyph} />
    </svg>
  )
}

type Props = { sign: Sign; tag?: boolean; children?: ReactNode }

/** Sign and word; or sign and what is in place of the word, which is then heard before it. */
export function SignLabel({ sign, tag = false, children }: Props) {
  const { t } = useLingui()
  const name = signName(sign)
  return (
    <span className={`${styles.label} ${styles[name]} ${tag ? `${styles.tag} ${styles[`bg-${name}`]}` : ''}`}>
      {children === undefined ? (
        <>
          <SignShape sign={sign} />
          {t(signs[sign].word)}
        </>
      ) : (
        <>
          <SignShape sign={sign} word={t(signs[sign].word)} />
          {children}
        </>
      )}
    </span>
  )
}

/** Fill of a chart's part: a class, and a hatch where the sign has one. */
export const signFill = (sign: Sign): string => styles[`fill-${signName(sign)}`] ?? ''
