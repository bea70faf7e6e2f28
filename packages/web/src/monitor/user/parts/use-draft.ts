import { useState } from 'react'
import { readDraft, writeDraft } from '../../../kit/client/draft.ts'
import { useSession } from '../model.ts'

/** State of a text field that outlives the page: null until the user types, and after the text is saved. */
export function useDraft(kind: string, id: string) {
  const { permissions } = useSession()
  const draftKey = { userId: permissions.id, kind, id }
  const [draft, setDraftState] = useState(() => readDraft(draftKey))
  const setDraft = (text: string | null) => {
    writeDraft(draftKey, text)
    setDraftState(text)
  }
  return [draft, setDraft] as const
}
