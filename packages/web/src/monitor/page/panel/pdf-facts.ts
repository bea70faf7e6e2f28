import * as z from 'zod/mini'

const Text = z.nullable(z.string())

export type PdfTag = { type: string; page: number | null; text: string; alt: string | null; kids: PdfTag[] }
const PdfTag: z.ZodMiniType<PdfTag> = z.object({
  type: z.string(),
  page: z.nullable(z.number()),
  text: z.string(),
  alt: Text,
  get kids() {
    return z.array(PdfTag)
  },
})

/** What a run keeps of a PDF as the page's content. */
const PdfContent = z.object({
  about: z.object({
    pages: z.number(),
    title: Text,
    language: Text,
    producer: Text,
    isTagged: z.boolean(),
    claimsPdfUa: z.boolean(),
    modifiedAt: Text,
  }),
  tags: z.array(PdfTag),
})
export type PdfContent = z.output<typeof PdfContent>

/** Reads the kept content of a PDF; null when it is none, as one that was cut. */
export function readPdfContent(text: string): PdfContent | null {
  try {
    return z.safeParse(PdfContent, JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
