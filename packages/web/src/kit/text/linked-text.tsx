const urlPattern = /(https?:\/\/[^\s<>"]+)/
// Trailing punctuation belongs to the sentence, not to the URL.
const trailingPunctuation = /[.,;:!?)\]}'’”»]{1,8}$/

/** User-written text with its URLs as links. */
export function LinkedText({ text }: { text: string }) {
  return text.split(urlPattern).map((part, partIndex) => {
    if (partIndex % 2 === 0) return part
    const trailingText = trailingPunctuation.exec(part)?.[0] ?? ''
    const linkedUrl = part.slice(0, part.length - trailingText.length)
    return (
      <span key={partIndex}>
        <a href={linkedUrl} target="_blank" rel="noopener noreferrer">
          {linkedUrl}
        </a>
        {trailingText}
      </span>
    )
  })
}
