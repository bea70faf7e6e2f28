// Runs inside scanned pages, in an isolated world. Sent as its own source text, so it must not reference anything outside of it.

/**
 * Creates the function that replaces numbers in a text by zero. A date or a time is one number, in whatever form and language:
 * 2 November 2026, 02.11.2026, Nov 2, 3:04 PM.
 */
export function makeNumberRemover(): (text: string) => string {
  const months =
    'jan(?:uary|uar|vier)?|jän(?:ner)?|ene(?:ro)?|gen(?:naio)?|feb(?:ruary|ruar|rero|braio)?|f[ée]v(?:rier)?|m[aä]r(?:ch|z|s|zo)?|mrz|a[pbv]r(?:ile?)?|mayo?|mai|mag(?:gio)?|jun[ei]?|junio|juin|giu(?:gno)?|jul[yi]?|julio|juil(?:let)?|lug(?:lio)?|aug(?:ust)?|ago(?:sto)?|ao[uû]t|sept?(?:iembre|embre|ember)?|set(?:tembre)?|o[ck]t(?:ober|obre|ubre)?|ott(?:obre)?|nov(?:ember|iembre|embre)?|de[cz](?:ember|embre)?|déc(?:embre)?|dic(?:iembre|embre)?'
  const weekdays =
    'mon(?:day)?|tue(?:s|sday)?|wed(?:nesday)?|thu(?:rs|rsday)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?|mo(?:ntag)?|di(?:enstag)?|mi(?:ttwoch)?|do(?:nnerstag)?|fr(?:eitag)?|sa(?:mstag)?|so(?:nntag)?|lun(?:di|es|edì)?|mar(?:di|tes|tedì)?|mer(?:credi|coledì)?|mié(?:rcoles)?|jeu(?:di)?|jue(?:ves)?|gio(?:vedì)?|ven(?:dredi|erdì)?|vie(?:rnes)?|sam(?:edi)?|s[áa]b(?:ado|ato)?|dim(?:anche)?|dom(?:ingo|enica)?'
  const dateWords = `(?:${months}|${weekdays}|[ap]\\.?m\\.?|uhr)(?![\\p{L}])\\.?`
  const wordBeforeNumber = new RegExp(`(^|[^\\p{L}])${dateWords}[\\s,]*(?=(?:de |of |le |the )?0)`, 'giu')
  const wordAfterNumber = new RegExp(`0(?:st|nd|rd|th|er|º|\\.)?[\\s,]*(?:de |of )?${dateWords}`, 'giu')
  const numberSequence = /0(?:st|nd|rd|th|er|º|\.)?(?:[\s.,/:–年月日時-]+(?:de |at |um |à |a las |alle )*0)+[日分]?/g
  return (text) => {
    let plainText = text.replace(/\d+([.,:/-]\d+)*/g, '0')
    if (plainText === text) return text
    // A weekday may stand before a month.
    for (let pass = 0; pass < 2; pass++) plainText = plainText.replace(wordBeforeNumber, '$1')
    return plainText.replace(wordAfterNumber, '0').replace(numberSequence, '0').replace(/\s+/g, ' ').trim()
  }
}
