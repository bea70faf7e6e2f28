import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useController } from 'react-hook-form'
import { Icon } from '../../../../kit/control/icon.tsx'
import { Field } from '../../../../kit/form/field.tsx'
import { SearchedChoice } from '../../../../kit/form/searched-choice.tsx'
import type { ScanForm } from '../values.ts'
import { useFieldError, useFieldTexts } from './controls.tsx'
import styles from './fields.module.css'
import { describeTimeZone, listTimeZones } from './time-zone.ts'

/** The time zone of a schedule: a button that opens a search. In a native list, only first letters would find one of 420. */
export function TimeZoneField({ name: fieldName }: { name: 'schedule.timeZone' }) {
  const { i18n } = useLingui()
  const { field: formField } = useController<ScanForm, 'schedule.timeZone'>({ name: fieldName })
  const errorText = useFieldError(fieldName)
  const [isOpen, setIsOpen] = useState(false)
  const [today] = useState(() => new Date())
  const fieldTexts = useFieldTexts({ name: fieldName })
  const selected = describeTimeZone(formField.value, today, i18n.locale)
  const selectedText = [selected.name, selected.details[0]].filter(Boolean).join(', ')
  return (
    <Field {...fieldTexts} error={errorText} id={fieldName}>
      {({ id, className, 'aria-describedby': describedBy }) => (
        <>
          <button
            ref={formField.ref}
            type="button"
            id={id}
            className={`${className} ${styles.opener}`}
            data-invalid={errorText !== undefined}
            aria-label={`${fieldTexts.label}: ${selectedText}`}
            aria-describedby={describedBy}
            aria-haspopup="dialog"
            onClick={() => setIsOpen(true)}
            onBlur={formField.onBlur}
          >
            {selectedText}
            <Icon name="down" />
          </button>
          {isOpen && (
            <TimeZoneSearch
              title={fieldTexts.label}
              day={today}
              selectedId={formField.value}
              onChoose={(timeZone) => {
                setIsOpen(false)
                formField.onChange(timeZone)
              }}
              onClose={() => setIsOpen(false)}
            />
          )}
        </>
      )}
    </Field>
  )
}

type TimeZoneSearchProps = {
  title: string
  /** Its differences to UTC are shown. */
  day: Date
  selectedId: string
  onChoose: (timeZone: string) => void
  onClose: () => void
}

function TimeZoneSearch({ day, ...dialogProps }: TimeZoneSearchProps) {
  const { t, i18n } = useLingui()
  const [entries] = useState(() => listTimeZones(dialogProps.selectedId, day, i18n.locale))
  return (
    <SearchedChoice
      {...dialogProps}
      searchLabel={t`Find a time zone by city (in English), name or difference to UTC`}
      noMatchText={t`No time zone matches`}
      entries={entries}
      isExactMatch={({ id, details }, searchedWords) =>
        [id, details[0]].some((text) => text !== undefined && searchedWords.includes(text.toLowerCase()))
      }
    />
  )
}
