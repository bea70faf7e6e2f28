import { useLingui } from '@lingui/react/macro'
import { useFieldArray, useFormContext } from 'react-hook-form'
import { Button } from '../../../../kit/control/button.tsx'
import layout from '../../../../kit/page/layout.module.css'
import type { ScanForm } from '../values.ts'
import { LinesField, RowList, TextField } from './controls.tsx'
import styles from './fields.module.css'
import { useRowFocus } from './use-row-focus.ts'

export function ComponentFields() {
  const { t } = useLingui()
  const { control } = useFormContext<ScanForm>()
  const { fields, append, remove } = useFieldArray({ control, name: 'commonComponents.components' })
  const { listRef, onRemoved } = useRowFocus()
  return (
    <>
      <LinesField name="commonComponents.templateUrls" lineCount={2} />
      <RowList
        name="commonComponents.components"
        listRef={listRef}
        addLabel={t`Add component`}
        listError={t`Add at least one component, or empty the template pages.`}
        onAdd={() => append({ name: '', selectors: [] })}
      >
        {fields.map(({ id }, i) => (
          <fieldset key={id} className={styles.item}>
            <legend className={layout.hidden}>{t`Component ${i + 1}`}</legend>
            <TextField name={`commonComponents.components.${i}.name`} />
            <LinesField name={`commonComponents.components.${i}.selectors`} lineCount={2} />
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
      </RowList>
    </>
  )
}
