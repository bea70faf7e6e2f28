import type { MessageDescriptor } from '@lingui/core'
import { FormProvider, useForm } from 'react-hook-form'
import { expect, it } from 'vitest'
import { i18n } from '@lingui/core'
import { expectAccessible, show } from '../../../../../test/show.tsx'
import { newValues } from '../model.ts'
import type { SettingField } from '../setting-controls.ts'
import { settingControls, kindOf } from '../setting-controls.ts'
import type { ScanForm } from '../values.ts'
import { AdvancedFields } from './advanced.tsx'

function Form({ values }: { values: ScanForm }) {
  const form = useForm<ScanForm>({ defaultValues: values })
  return (
    <FormProvider {...form}>
      <AdvancedFields section="exclude" />
      <AdvancedFields section="scope" />
      <AdvancedFields section="advanced" />
    </FormProvider>
  )
}

const text = (words: MessageDescriptor) => i18n._(words)
const settings = Object.keys(settingControls) as SettingField[]

it('asks for every setting of the table, each by its own control', async () => {
  // What is asked only with another one is asked: all is switched on and filled in.
  const filled = settings.flatMap((name): [string, string | boolean][] => {
    if (kindOf(name) === 'flag') return [[name, name !== 'ignoreAllParameters']]
    return kindOf(name) === 'special' ? [] : [[name, '1']]
  })
  const values = { ...newValues('https://www.example.org/'), testPdfs: true, ...Object.fromEntries(filled) }
  const screen = await show(<Form values={values} />)
  for (const folded of document.querySelectorAll('details')) folded.open = true
  for (const name of settings) {
    const { label, hint } = settingControls[name]
    const role = kindOf(name) === 'special' ? 'group' : kindOf(name) === 'flag' ? 'checkbox' : null
    const words = text(label)
    const control = role
      ? screen.getByRole(role, { name: words, exact: true })
      : screen.getByLabelText(new RegExp(`^${words.replaceAll(/[()?.*]/g, '\\$&')}`))
    await expect.element(control).toBeInTheDocument()
    if (hint) await expect.element(screen.getByText(text(hint))).toBeInTheDocument()
  }
  await expectAccessible()
})

it('asks for some only when they have a meaning', async () => {
  const values = { ...newValues('https://www.example.org/'), ignoreAllParameters: true }
  const screen = await show(<Form values={values} />)
  for (const name of ['bannerSelectors', 'meaningfulParameters', 'pdfModifiedFrom'] as const)
    expect(screen.getByLabelText(text(settingControls[name].label)).query()).toBeNull()
})
