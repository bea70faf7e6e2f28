import { useState } from 'react'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { renderInPage } from '../../../test/show.tsx'
import { Button } from '../control/button.tsx'
import { Field } from './field.tsx'
import { MentionArea } from './mention-area.tsx'

const people = ['Ada Park', 'Ada Quill', 'Ada Reed', 'Ada Stone', 'Ada Tran', 'Ada Umar'].map((name) => ({ id: name, name }))

function Form({ onSend }: { onSend: (text: string) => void }) {
  const [text, setText] = useState('')
  return (
    <>
      <div style={{ height: '20rem' }} />
      <Field label="New comment">
        {(control) => <MentionArea control={control} value={text} maxLength={500} people={people} onChange={setText} />}
      </Field>
      <Button onPress={() => onSend(text)}>Add comment</Button>
    </>
  )
}

it('suggests people above the text, so that the button below it can be pressed', async () => {
  const sentTexts: string[] = []
  await renderInPage(<Form onSend={(text) => sentTexts.push(text)} />, 640)
  await page.getByLabelText('New comment').click()
  await userEvent.keyboard('Hello @Ada')
  await expect.poll(() => page.getByRole('option').elements().length).toBe(6)
  const listBottom = Math.max(
    ...page
      .getByRole('option')
      .elements()
      .map((option) => option.getBoundingClientRect().bottom),
  )
  expect(listBottom).toBeLessThanOrEqual(document.querySelector('textarea')!.getBoundingClientRect().top)
  await page.getByRole('button', { name: 'Add comment' }).click()
  expect(sentTexts).toEqual(['Hello @Ada'])
})
