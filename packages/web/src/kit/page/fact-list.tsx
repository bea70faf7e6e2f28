import type { ReactNode } from 'react'
import layout from './layout.module.css'

/** Names and what they are; a fact that is not known is left out. */
export function FactList({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  const known = facts.filter(([, value]) => value !== null && value !== false && value !== '')
  return (
    <dl className={layout.facts}>
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
