import * as z from 'zod/mini'

const NullableText = z.nullable(z.string())

export type PdfTag = { type: string; page: number | null; text: string; alt: string | null; kids: PdfTag[] }
const PdfTag: z.ZodMiniType<PdfTag> = z.object({
  type: z.string(),
  page: z.nullable(z.number()),
  text: z.string(),
  alt: NullableText,
  get kids() {
    return z.array(PdfTag)
  },
})

const PdfContent = z.object({
  about: z.object({
    pages: z.number(),
    title: NullableText,
    language: NullableText,
    producer: NullableText,
    isTagged: z.boolean(),
    claimsPdfUa: z.boolean(),
    modifiedAt: NullableText,
  }),
  tags: z.array(PdfTag),
})
export type PdfContent = z.output<typeof PdfContent>

/** Parses the stored content of a PDF. Returns null if it is invalid or truncated. */
export function parsePdfContent(storedText: string): PdfContent | null {
  try {
    return z.safeParse(PdfContent, JSON.parse(storedText)).data ?? null
  } catch {
    return null
  }
}
