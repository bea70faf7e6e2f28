import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible, renderInPage } from '../../../test/show.tsx'
import { Field } from './field.tsx'

/** Fires the event of a paste. The browser inserts nothing for an event of a script. */
async function paste(name: string, text: string): Promise<void> {
  const field = page.getByLabelText(name)
  await userEvent.click(field)
  const clipboardData = new DataTransfer()
  clipboardData.setData('text/plain', text)
  field.element().dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
}

it('says that a pasted text was cut, until the field is left', async () => {
  await renderInPage(
    <>
      <Field label="Name">{(control) => <input {...control} maxLength={5} defaultValue="abc" />}</Field>
      <Field label="Reason">{(control) => <textarea {...control} maxLength={2000} />}</Field>
    </>,
  )
  await paste('Name', 'de\n')
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
  await paste('Name', 'def')
  await expect.element(page.getByRole('alert')).toHaveTextContent('The pasted text was cut: this field holds 5 characters.')
  await expectAccessible()
  await paste('Reason', 'x'.repeat(2001))
  await expect.element(page.getByRole('alert')).toHaveTextContent('The pasted text was cut: this field holds 2,000 characters.')
  await userEvent.keyboard('{Tab}')
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
})
