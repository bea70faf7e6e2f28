import type { DocumentSignature } from '../../axe/signature-in-page.ts'
import type { PageSignature } from '../../outcome.ts'
import { hashText, maskGenerated, type LinkSource } from '../scope/bucket.ts'

/** Hashes the signature of a document. */
export function computeSignature(url: string, signature: DocumentSignature): PageSignature {
  const { text, parts, template, isUnlisted } = signature
  const pageUrl = URL.parse(url)
  return {
    content: hashText(`${text}\n${parts}`),
    masked: hashText(`${pageUrl ? maskGenerated(text, pageUrl) : text}\n${parts}`),
    template: hashText(template),
    isUnlisted,
  }
}

/** The page as the source of its links. */
export const toLinkSource = ({ template, isUnfollowed }: DocumentSignature): LinkSource => ({
  template: hashText(template),
  isUnfollowed,
})
