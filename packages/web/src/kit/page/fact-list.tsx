import type { ReactNode } from 'react'
import layout from './layout.module.css'

/** List of names and values. Omits empty values. */
export function FactList({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  const availableFacts = facts.filter(([, value]) => value !== null && value !== false && value !== '')
  return (
    <dl className={layout.facts}>
      {availableFacts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
