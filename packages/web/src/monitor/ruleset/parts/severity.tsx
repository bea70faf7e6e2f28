import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Health } from '@clearway/contract/monitor/page/schema.ts'
import type { Severity } from '@clearway/contract/monitor/ruleset/schema.ts'
import styles from './severity.module.css'

export type SeveritySign = Severity | Health

/** Shape, glyph and label of each sign. Signs never differ by color alone. */
const signShapes = {
  critical: {
    shape: 'M5.2 1h5.6L15 5.2v5.6L10.8 15H5.2L1 10.8V5.2z',
    glyph: 'M8 4.2v4.6M8 11.4v.1',
    label: msg`Critical`,
  },
  serious: { shape: 'M8 1.2 15.4 14.4H.6z', glyph: 'M8 6v4M8 12.2v.1', label: msg`Serious` },
  moderate: { shape: 'M8 .6 15.4 8 8 15.4.6 8z', glyph: 'M5 8h6', label: msg`Moderate` },
  minor: {
    shape: 'M8 1.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13z',
    glyph: 'm5 6.9 3 3 3-3',
    label: msg`Minor`,
  },
  good: { shape: 'M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1z', glyph: 'm4.8 8.3 2.2 2.2 4.2-4.6', label: msg`Good` },
  'needs review': {
    shape: 'M3 1.5h10A1.5 1.5 0 0 1 14.5 3v10a1.5 1.5 0 0 1-1.5 1.5H3A1.5 1.5 0 0 1 1.5 13V3A1.5 1.5 0 0 1 3 1.5z',
    glyph: 'M5.9 6.2a2.1 2.1 0 1 1 2.9 2c-.6.3-.8.6-.8 1.2M8 11.8v.1',
    label: msg`Needs review`,
  },
} as const satisfies Record<SeveritySign, unknown>

/** Returns the part of class and token names that identifies a sign. */
const getSignName = (sign: SeveritySign): string => (sign === 'needs review' ? 'review' : sign)
export const getSignLabel = (sign: SeveritySign) => signShapes[sign].label

type SignShapeProps = { sign: SeveritySign; large?: boolean; label?: string }

/** The sign without text. Its label must be next to it or passed as accessible name. */
export function SignShape({ sign, large = false, label }: SignShapeProps) {
  return (
    <svg
      className={large ? styles.large : styles.shape}
      viewBox="0 0 16 16"
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      <path className={styles[`fill-${getSignName(sign)}`]} d={signShapes[sign].shape} />
      <path className={styles.glyph} d={signShapes[sign].glyph} />
    </svg>
  )
}

type SignLabelProps = { sign: SeveritySign; tag?: boolean; children?: ReactNode }

/** Sign and label, or sign and custom content that is announced after the label. */
export function SignLabel({ sign, tag = false, children }: SignLabelProps) {
  const { t } = useLingui()
  const signName = getSignName(sign)
  return (
    <span className={`${styles.label} ${styles[signName]} ${tag ? `${styles.tag} ${styles[`bg-${signName}`]}` : ''}`}>
      {children === undefined ? (
        <>
          <SignShape sign={sign} />
          {t(signShapes[sign].label)}
        </>
      ) : (
        <>
          <SignShape sign={sign} label={t(signShapes[sign].label)} />
          {children}
        </>
      )}
    </span>
  )
}

/** Returns the fill class of a chart segment, with a hatch if the sign has one. */
export const getSignFill = (sign: SeveritySign): string => styles[`fill-${getSignName(sign)}`] ?? ''
