import { useLingui } from '@lingui/react/macro'
import { useFieldArray, useFormContext } from 'react-hook-form'
import { Button } from '../../../../kit/control/button.tsx'
import field from '../../../../kit/form/field.module.css'
import layout from '../../../../kit/page/layout.module.css'
import type { ScanForm } from '../values.ts'
import { RowList, TextField } from './controls.tsx'
import styles from './fields.module.css'
import { useRowFocus } from './use-row-focus.ts'

/** Components shared by many pages, and the template pages that contain them. */
export function ComponentFields() {
  const { t } = useLingui()
  const { control, formState } = useFormContext<ScanForm>()
  const { fields, append, remove } = useFieldArray({ control, name: 'components' })
  const { listRef, onRemoved } = useRowFocus()
  return (
    <>
      <TextField
        name="templateUrls"

        lineCount={2}
      />
      <RowList
        name="components"
        listRef={listRef}
        addLabel={t`Add component`}
        onAdd={() => append({ name: '', selectors: '' })}
      >
        {fields.map(({ id }, i) => (
          <fieldset key={id} className={styles.item}>
            <legend className={layout.hidden}>{t`Component ${i + 1}`}</legend>
            <TextField name={`components.${i}.name`} />
            <TextField name={`components.${i}.selectors`} lineCount={2} />
            <div>
              <Button
                small
                icon="close"
                label={t`Remove component ${i + 1}`}
                onPress={() => onRemoved(() => remove(i))}
              >{t`Remove`}</Button>
            </div>
          </fieldset>
        ))}
        {typeof formState.errors.components?.message === 'string' && (
          <p className={field.error}>{t`Add at least one component, or empty the template pages.`}</p>
        )}
      </RowList>
    </>
  )
}
