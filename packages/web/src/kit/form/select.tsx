import type { ComponentProps } from 'react'

export type SelectOption<Value extends string | number> = readonly [value: Value, label: string]

type SelectProps<Value extends string | number> = Omit<
  ComponentProps<'select'>,
  'value' | 'onChange' | 'children' | 'multiple'
> & { value: string | number; options: readonly SelectOption<Value>[]; onChange: (value: Value) => void }

export function Select<Value extends string | number>({ value, options, onChange, ...selectProps }: SelectProps<Value>) {
  return (
    <select {...selectProps} value={value} onChange={({ target }) => onChange(options[target.selectedIndex]![0])}>
      {options.map(([one, words]) => (
        <option key={one} value={one}>
          {words}
        </option>
      ))}
    </select>
  )
}

/** Returns options for named objects, preceded by an empty option labeled `noneLabel`. */
export const toNamedOptions = <Id extends string>(
  noneLabel: string,
  items: readonly { id: Id; name: string }[] = [],
): SelectOption<Id | ''>[] => [['', noneLabel], ...items.map(({ id, name }) => [id, name] as const)]

export const toLabeledOptions = <Value extends string>(labels: Readonly<Record<Value, string>>): SelectOption<Value>[] =>
  Object.entries(labels) as [Value, string][]
