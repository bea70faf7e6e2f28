import type { DocumentFacts } from '../../axe/report-in-page.ts'
import type { DocumentSignature } from '../../axe/signature-in-page.ts'
import type { PageSignature } from '../../outcome.ts'
import { hashText, maskGenerated, type LinkSource } from '../scope/bucket.ts'
import { isSeparatePage, readCanonical } from './canonical.ts'
import type { VisitContext } from './context.ts'

/** Hashes the signature of a document, and adds what tells whether it is another page under a further address. */
export function computeSignature(
  context: VisitContext,
  url: string,
  { signature, canonical }: Pick<DocumentFacts, 'signature' | 'canonical'>,
): PageSignature {
  const { text, parts, template, language, isUnlisted, isListing } = signature
  const pageUrl = URL.parse(url)
  return {
    content: hashText(`${language}\n${text}\n${parts}`),
    masked: hashText(`${language}\n${pageUrl ? maskGenerated(text, pageUrl) : text}\n${parts}`),
    template: hashText(template),
    isUnlisted,
    isListing,
    canonical: readCanonical(context, canonical)?.url ?? null,
    isSeparate: isSeparatePage(context),
  }
}

/** The page as the source of its links. */
export const toLinkSource = ({ template, isUnfollowed }: DocumentSignature): LinkSource => ({
  template: hashText(template),
  isUnfollowed,
})
