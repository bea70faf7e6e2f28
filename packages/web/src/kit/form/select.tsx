import type { ComponentProps } from 'react'

/** A value and its words. */
export type Option<Value extends string | number> = readonly [value: Value, words: string]

type Props<Value extends string | number> = Omit<
  ComponentProps<'select'>,
  'value' | 'onChange' | 'children' | 'multiple'
> & {
  value: string | number
  options: readonly Option<Value>[]
  onChange: (value: Value) => void
}

/** A native choice of one value. */
export function Select<Value extends string | number>({
  value,
  options,
  onChange,
  ...control
}: Props<Value>) {
  return (
    <select {...control} value={value} onChange={({ target }) => onChange(options[target.selectedIndex]![0])}>
      {options.map(([one, words]) => (
        <option key={one} value={one}>
          {words}
        </option>
      ))}
    </select>
  )
}

/** Things with a name as values to choose from, after the words for none of them. */
export const named = <Id extends string>(
  none: string,
  items: readonly { id: Id; name: string }[] = [],
): Option<Id | ''>[] => [['', none], ...items.map(({ id, name }) => [id, name] as const)]

/** A table of words as values to choose from, in its order. */
export const worded = <Value extends string>(words: Readonly<Record<Value, string>>): Option<Value>[] =>
  Object.entries(words) as [Value, string][]
