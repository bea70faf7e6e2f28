const htmlEntities: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  }),
)

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => htmlEntities.get(character)!)

const mailStyles = `body{margin:0;padding:24px;background:#ffffff;color:#1b1f24;font:16px/1.5 Arial,sans-serif}
h1{font-size:22px;line-height:1.3;margin:0 0 16px}table{border-collapse:collapse;margin:16px 0}
caption{text-align:left;font-weight:bold;padding:0 0 8px}th,td{text-align:left;padding:6px 16px 6px 0;border-bottom:1px solid #b8bfc6;font-weight:normal}
td{font-weight:bold}a{color:#0a4fa3}p.why{color:#4a5159;font-size:14px}
blockquote{margin:16px 0;padding:0 0 0 16px;border-left:4px solid #b8bfc6;white-space:pre-wrap;overflow-wrap:anywhere}`

export const renderHtmlMail = (mail: { language: string; subject: string; content: string }): string =>
  `<!doctype html>
<html lang="${mail.language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(mail.subject)}</title><style>${mailStyles}</style></head>
<body><main><h1>${escapeHtml(mail.subject)}</h1>
${mail.content}</main></body></html>
`
