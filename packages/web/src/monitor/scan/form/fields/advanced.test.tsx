import type { MessageDescriptor } from '@lingui/core'
import { FormProvider, set, useForm } from 'react-hook-form'
import { expect, it } from 'vitest'
import { i18n } from '@lingui/core'
import { expectAccessible, renderInPage } from '../../../../../test/show.tsx'
import { createNewValues } from '../model.ts'
import type { SettingField } from '../setting-controls.ts'
import { settingControls, getSettingKind } from '../setting-controls.ts'
import type { ScanForm } from '../values.ts'
import { AdvancedFields } from './advanced.tsx'

const sections = ['basic', 'exclude', 'scope', 'advanced'] as const
type FormProps = { values: ScanForm; shownSections?: readonly (typeof sections)[number][] }

function Form({ values, shownSections = sections }: FormProps) {
  const form = useForm<ScanForm>({ defaultValues: values })
  return (
    <FormProvider {...form}>
      {shownSections.map((section) => (
        <AdvancedFields key={section} section={section} />
      ))}
    </FormProvider>
  )
}

const text = (words: MessageDescriptor) => i18n._(words)
const settings = Object.keys(settingControls) as SettingField[]

it('has a control for every setting of the table', async () => {
  // Everything is enabled and filled in, so that dependent settings appear, too.
  const values = createNewValues('https://www.example.org/')
  for (const name of settings) {
    const kind = getSettingKind(name)
    if (kind === 'flag') set(values, name, name !== 'advanced.ignoreAllParameters')
    else if (kind === 'lines' || kind === 'selectors') set(values, name, ['1'])
    else if (kind !== 'special' && kind !== 'choice') set(values, name, kind.startsWith('number') ? 1 : '1')
  }
  values.type = 'custom'
  values.advanced.mimeTypes = ['text/html', 'application/pdf']
  const screen = await renderInPage(<Form values={values} />)
  for (const folded of document.querySelectorAll('details')) folded.open = true
  for (const name of settings) {
    const { label, hint } = settingControls[name]
    const kind = getSettingKind(name)
    const role = kind === 'special' || kind === 'choice' ? 'group' : kind === 'flag' ? 'checkbox' : null
    const words = text(label)
    const control = role
      ? screen.getByRole(role, { name: words, exact: true })
      : screen.getByLabelText(new RegExp(`^${words.replaceAll(/[()?.*]/g, '\\$&')}`))
    await expect.element(control).toBeInTheDocument()
    if (hint) await expect.element(screen.getByText(text(hint), { exact: false }).first()).toBeInTheDocument()
  }
  await expectAccessible()
})

it('shows some settings only if they have an effect', async () => {
  const values = createNewValues('https://www.example.org/')
  values.type = 'standard'
  values.advanced.ignoreAllParameters = true
  const screen = await renderInPage(<Form values={values} />)
  for (const name of ['bannerSelectors', 'meaningfulParameters', 'pdfModifiedFrom', 'restrictToFolder'] as const)
    expect(screen.getByLabelText(text(settingControls[`advanced.${name}`].label)).query()).toBeNull()
})

it('has the settings of PDFs in the step where their test is turned on', async () => {
  const values = createNewValues('https://www.example.org/')
  values.advanced.mimeTypes = ['text/html', 'application/pdf']
  const screen = await renderInPage(<Form values={values} shownSections={['basic']} />)
  for (const folded of document.querySelectorAll('details')) folded.open = true
  for (const name of ['pdfModifiedFrom', 'pdfModifiedTo'] as const)
    await expect.element(screen.getByLabelText(text(settingControls[`advanced.${name}`].label))).toBeVisible()
})

it('says in the description of each control that its setting differs from the default', async () => {
  const values = createNewValues('https://www.example.org/')
  values.type = 'custom'
  const changedSettings = settings.filter((name) => getSettingKind(name) === 'number')
  for (const name of changedSettings) set(values, name, 7)
  await renderInPage(<Form values={values} />)
  const describedFields = [...document.querySelectorAll('[aria-describedby]')].filter((control) =>
    control
      .getAttribute('aria-describedby')!
      .split(' ')
      .some((id) => document.getElementById(id)?.textContent.endsWith('Changed from the default.')),
  )
  const shownSettings = changedSettings.filter((name) => document.getElementById(name))
  expect(shownSettings.length).toBeGreaterThan(3)
  expect(new Set(describedFields.map(({ id }) => id))).toEqual(new Set(shownSettings))
})
