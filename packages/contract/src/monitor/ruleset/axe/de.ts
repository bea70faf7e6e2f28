import type { AxeTexts } from './model.ts'

export const axeTextsDe: AxeTexts = {
  why: {
    aria: 'Hilfsmittel übergehen ungültiges ARIA oder verstehen es falsch: Menschen erfahren nicht, was das Element ist und was es tut.',
    autofill:
      'Browser füllen bekannte Angaben anhand dieses Attributs aus und ersparen Menschen mit motorischen oder Gedächtnisproblemen das Tippen. Hier gelingt das nicht.',
    braille: 'Die Braillezeile zeigt einen Text, den die Sprachausgabe nicht hat: Wer beides nutzt, erhält Widersprüchliches.',
    captions: 'Gehörlosen und schwerhörigen Menschen entgeht, was gesagt wird.',
    color: 'Wer den Farbunterschied nicht sieht, kann den Link nicht vom umgebenden Text unterscheiden.',
    contrast: 'Menschen mit Sehschwäche oder Farbenblindheit, und bei hellem Licht alle, können den Text kaum lesen.',
    control:
      'Ein Screenreader kann nur die Art des Elements ansagen, und der Sprachsteuerung fehlt ein Name. Niemand erfährt, was es tut.',
    field:
      'Wer einen Screenreader nutzt, weiß nicht, was hier einzugeben oder zu wählen ist; die Sprachsteuerung kann das Feld nicht beim Namen nennen.',
    focus:
      'Wer mit der Tastatur arbeitet, verliert den Überblick: Der Fokus springt unerwartet oder hält an, wo nichts zu tun ist.',
    frame:
      'Screenreader-Nutzer wählen Frames nach dem Namen aus. Ohne eigenen Namen müssen sie jeden betreten, um seinen Inhalt zu erfahren.',
    ghost: 'Die Tastatur kann hier anhalten, aber der Screenreader schweigt oder widerspricht sich: Man weiß nicht, wo man ist.',
    headings:
      'Viele Menschen mit Screenreader orientieren sich an Überschriften. Fehlende, leere oder übersprungene führen sie in die Irre.',
    hidden: 'Die ganze Seite ist vor Screenreadern verborgen: Für deren Nutzer ist sie leer.',
    ids: 'Beschriftungen, Links und Skripte finden ein Element über seine ID. Ist sie doppelt, treffen sie womöglich das falsche.',
    image: 'Wer das Bild nicht sieht, erfährt nichts darüber: Der Screenreader übergeht es oder liest den Dateinamen vor.',
    keyboard: 'Wer statt der Maus die Tastatur nutzt, erreicht oder bedient es nicht.',
    labels: 'Screenreader lesen von mehreren Beschriftungen verschiedene vor: Man hört womöglich nur die Hälfte.',
    language: 'Ein Screenreader wählt seine Stimme nach der Sprache. Mit der falschen werden Wörter unverständlich.',
    lists: 'Ein Screenreader sagt, wie viele Einträge eine Liste hat und welcher gelesen wird. Falsches Markup nimmt das weg.',
    mismatch:
      'Wer die Sprachsteuerung nutzt, sagt die Wörter, die zu sehen sind. Der Name im Code ist ein anderer, und nichts geschieht.',
    motion: 'Bewegter oder blinkender Text lenkt Menschen mit Aufmerksamkeitsstörung ab, und wer langsam liest, kommt nicht mit.',
    nested:
      'Ein Screenreader behandelt den Inhalt als ein Stück: Was darin bedienbar ist, wird nicht angesagt, erhält aber den Fokus.',
    parts:
      'Screenreader setzen Listen, Menüs, Register und Tabellen aus ihren Teilen zusammen. Fehlt eines oder steht es falsch, sagen sie Falsches an.',
    regions:
      'Screenreader-Nutzer springen zwischen Bereichen wie Kopf, Navigation und Hauptinhalt. Fehlende, verschachtelte oder doppelte führen in die Irre.',
    rotate: 'Wessen Gerät an Rollstuhl oder Bett befestigt ist, kann es nicht drehen und sieht die Seite quer liegen.',
    same: 'Screenreader listen Links ohne den Text drumherum auf. Zwei gleichnamige scheinen zum selben Ziel zu führen.',
    shortcut: 'Browser wählen für die Taste verschiedene Elemente: Wer mit Tastenkürzeln arbeitet, löst das falsche aus.',
    skip: 'Wer Tastatur oder Screenreader nutzt, muss auf jeder Seite wieder durch dieselben Menüs.',
    sound: 'Ton, der von selbst beginnt, übertönt den Screenreader: Man hört nicht, wie er sich abstellen lässt.',
    spacing:
      'Menschen mit Legasthenie oder Sehschwäche vergrößern Abstände, um besser zu lesen. Dieser Stil setzt sich darüber hinweg.',
    tables: 'Ein Screenreader nennt zu jeder Zelle ihre Kopfzellen. Ohne sie ist eine Tabelle eine Reihe loser Werte.',
    target: 'Wer zittert oder den Touchscreen mit einer Hand bedient, verfehlt kleine Ziele oder trifft das daneben.',
    time: 'Die Seite wechselt, während man sie noch liest, und der Screenreader beginnt wieder oben.',
    title: 'Den Titel sagt ein Screenreader zuerst an; er unterscheidet einen Tab vom anderen.',
    twice: 'Ein Screenreader liest dieselben Wörter zweimal hintereinander.',
    unseen: 'Was nicht geprüft wurde, kann jeden Fehler enthalten: Das Ergebnis ist unvollständig.',
    visible:
      'Ein Tooltip oder verborgener Text ist keine bleibende Beschriftung: Mit Tastatur, Touchscreen oder Vergrößerung sieht man ihn nicht.',
    widget: 'Ein Screenreader sagt, dass es da ist, aber nicht, worum es geht.',
    zoom: 'Menschen mit Sehschwäche vergrößern eine Seite, um sie zu lesen. Hier lässt der Browser das nicht zu.',
  },
  rules: {
    accesskeys: [
      'Zugriffstasten sind nicht eindeutig',
      'Vergeben Sie jede Zugriffstaste nur einmal, oder verzichten Sie besser auf sie.',
    ],
    'area-alt': ['Eine klickbare Fläche eines Bildes hat keinen Alternativtext', 'Sagen Sie in alt, wohin die Fläche führt.'],
    'aria-allowed-attr': [
      'Die Rolle unterstützt dieses ARIA-Attribut nicht',
      'Entfernen Sie das Attribut, oder verwenden Sie die Rolle, zu der es gehört.',
    ],
    'aria-allowed-role': [
      'Diese Rolle ist an diesem Element nicht erlaubt',
      'Entfernen Sie die Rolle, oder geben Sie sie einem div oder span. Besser ist das HTML-Element, das sie von Natur aus hat.',
    ],
    'aria-braille-equivalent': [
      'Ein Brailletext hat kein gesprochenes Gegenstück',
      'Ergänzen Sie aria-label oder aria-roledescription, oder entfernen Sie das Braille-Attribut.',
    ],
    'aria-command-name': [
      'Eine Schaltfläche, ein Link oder ein Menüeintrag hat keinen Namen',
      'Schreiben Sie Text hinein, oder benennen Sie es mit aria-label.',
    ],
    'aria-conditional-attr': [
      'Ein ARIA-Attribut widerspricht seinem Element',
      'Entfernen Sie es. Ein Kontrollkästchen oder Optionsfeld hat seinen Zustand aus HTML, etwa aus checked. Eine Tabellenzeile darf aria-expanded, aria-level, aria-posinset und aria-setsize nur in einem treegrid haben.',
    ],
    'aria-deprecated-role': [
      'Die Rolle ist veraltet',
      'Entfernen Sie sie, oder verwenden Sie die Rolle oder das Element, das sie ersetzt hat.',
    ],
    'aria-dialog-name': [
      'Ein Dialog hat keinen Namen',
      'Verweisen Sie mit aria-labelledby auf seine Überschrift, oder benennen Sie ihn mit aria-label.',
    ],
    'aria-hidden-body': [
      'Die ganze Seite ist vor Hilfsmitteln verborgen',
      'Entfernen Sie aria-hidden vom body. Um zu verbergen, was hinter einem Dialog liegt, setzen Sie es nur auf diesen Teil.',
    ],
    'aria-hidden-focus': [
      'Ein verborgenes Element kann den Fokus erhalten',
      'Nehmen Sie es mit tabindex="-1" aus der Tabreihenfolge, deaktivieren Sie es oder nutzen Sie inert, oder verbergen Sie es nicht.',
    ],
    'aria-input-field-name': [
      'Ein eigenes Eingabefeld hat keinen Namen',
      'Verweisen Sie mit aria-labelledby auf seine sichtbare Beschriftung, oder benennen Sie es mit aria-label.',
    ],
    'aria-meter-name': ['Eine Messanzeige hat keinen Namen', 'Sagen Sie mit aria-label oder aria-labelledby, was sie misst.'],
    'aria-progressbar-name': [
      'Ein Fortschrittsbalken hat keinen Namen',
      'Sagen Sie mit aria-label oder aria-labelledby, was voranschreitet.',
    ],
    'aria-prohibited-attr': [
      'Unzulässiges ARIA-Attribut',
      'Entfernen Sie das Attribut und schreiben Sie den Text in die Seite, oder geben Sie dem Element eine Rolle, die es erlaubt.',
    ],
    'aria-required-attr': [
      'Ein notwendiges ARIA-Attribut fehlt',
      'Ergänzen Sie das Attribut, das die Rolle verlangt, oder verwenden Sie stattdessen das HTML-Element.',
    ],
    'aria-required-children': [
      'Erforderliche untergeordnete Rollen fehlen',
      'Setzen Sie nur Elemente mit den erwarteten Rollen hinein, oder entfernen Sie die Rolle.',
    ],
    'aria-required-parent': [
      'Die erforderliche übergeordnete Rolle fehlt',
      'Umschließen Sie das Element mit einem, das die erwartete Rolle hat.',
    ],
    'aria-roledescription': [
      'Eine Rollenbeschreibung steht an einem Element ohne Rolle',
      'Geben Sie dem Element eine passende Rolle, oder entfernen Sie aria-roledescription.',
    ],
    'aria-roles': ['Ungültige ARIA-Rolle', 'Korrigieren Sie die Schreibweise, oder entfernen Sie die Rolle.'],
    'aria-tab-name': ['Eine Registerkarte hat keinen Namen', 'Schreiben Sie Text hinein, oder benennen Sie sie mit aria-label.'],
    'aria-text': [
      'Text, der als ein Stück gelesen wird, enthält ein Bedienelement',
      'Entfernen Sie role="text", oder nehmen Sie den Link oder die Schaltfläche heraus.',
    ],
    'aria-toggle-field-name': [
      'Ein eigenes Kontrollkästchen, Optionsfeld oder ein Schalter hat keinen Namen',
      'Schreiben Sie Text hinein, oder benennen Sie es mit aria-labelledby oder aria-label.',
    ],
    'aria-tooltip-name': [
      'Ein Tooltip hat keinen Text',
      'Schreiben Sie seinen Text hinein, oder benennen Sie ihn mit aria-label.',
    ],
    'aria-treeitem-name': [
      'Ein Eintrag eines Baums hat keinen Namen',
      'Schreiben Sie Text hinein, oder benennen Sie ihn mit aria-label.',
    ],
    'aria-valid-attr': ['Ungültiges ARIA-Attribut', 'Korrigieren Sie die Schreibweise, oder entfernen Sie das Attribut.'],
    'aria-valid-attr-value': [
      'Ungültiger Wert eines ARIA-Attributs',
      'Verwenden Sie einen der erlaubten Werte. Nennt es eine ID, muss es ein Element mit dieser ID geben.',
    ],
    'audio-caption': [
      'Ein Audioelement hat keine Untertitel',
      'Stellen Sie eine Abschrift daneben. Zu einem audio-Element zeigen Browser keine Untertitel: Spielen Sie die Aufnahme dafür in einem video-Element mit einer Untertitelspur ab.',
    ],
    'autocomplete-valid': [
      'Ungültiges autocomplete-Attribut',
      'Verwenden Sie einen Wert des HTML-Standards, der zum Feld passt, etwa email oder postal-code.',
    ],
    'avoid-inline-spacing': [
      'Textabstände lassen sich nicht anpassen',
      'Entfernen Sie !important von line-height, letter-spacing und word-spacing im style-Attribut.',
    ],
    blink: ['Blinkender Text', 'Entfernen Sie das Element blink, und heben Sie den Text anders hervor.'],
    'button-name': [
      'Eine Schaltfläche hat keinen Namen',
      'Schreiben Sie Text hinein. Hat sie nur ein Symbol, ergänzen Sie aria-label.',
    ],
    bypass: [
      'Wiederholte Inhalte lassen sich nicht überspringen',
      'Zeichnen Sie Hauptinhalt, Navigation und Überschriften aus, und setzen Sie einen Sprunglink an den Anfang.',
    ],
    'color-contrast': [
      'Der Text hat zu wenig Kontrast',
      'Machen Sie den Text dunkler oder den Hintergrund heller (oder umgekehrt): mindestens 4,5 zu 1, bei großem Text 3 zu 1.',
    ],
    'color-contrast-enhanced': [
      'Der Text erreicht den erhöhten Kontrast nicht',
      'Machen Sie den Text dunkler oder den Hintergrund heller (oder umgekehrt): mindestens 7 zu 1, bei großem Text 4,5 zu 1.',
    ],
    'css-orientation-lock': [
      'Die Seite ist auf eine Ausrichtung festgelegt',
      'Entfernen Sie die Drehung aus der Media-Query; gestalten Sie die Seite für Hoch- und Querformat.',
    ],
    'definition-list': [
      'Eine Beschreibungsliste ist falsch aufgebaut',
      'Setzen Sie in dl nur Gruppen aus dt und dd, oder div-Elemente, die solche enthalten.',
    ],
    dlitem: [
      'Ein Begriff oder eine Beschreibung steht außerhalb einer Beschreibungsliste',
      'Umschließen Sie dt und dd mit einem dl-Element.',
    ],
    'document-title': [
      'Die Seite hat keinen Titel',
      'Schreiben Sie ein title-Element, das zuerst die Seite und dann die Website nennt.',
    ],
    'duplicate-id': ['IDs sind nicht eindeutig', 'Geben Sie jedem Element eine eigene ID.'],
    'duplicate-id-active': ['IDs von Bedienelementen sind nicht eindeutig', 'Geben Sie jedem Bedienelement eine eigene ID.'],
    'duplicate-id-aria': [
      'IDs, die Beschriftungen oder ARIA verwenden, sind nicht eindeutig',
      'Geben Sie jedem Element eine eigene ID, und prüfen Sie, was auf sie verweist.',
    ],
    'empty-heading': [
      'Eine Überschrift ist leer',
      'Schreiben Sie ihren Text, oder entfernen Sie sie. Ein Bild darin braucht einen Alternativtext.',
    ],
    'empty-table-header': [
      'Eine Kopfzelle einer Tabelle ist leer',
      'Schreiben Sie hinein, was die Zeile oder Spalte enthält. Für eine leere Ecke nehmen Sie td.',
    ],
    'focus-order-semantics': [
      'Ein fokussierbares Element hat keine interaktive Rolle',
      'Verwenden Sie eine Schaltfläche oder einen Link, oder entfernen Sie tabindex.',
    ],
    'form-field-multiple-labels': [
      'Ein Feld hat mehrere Beschriftungen',
      'Fassen Sie sie zu einer zusammen; was übrig bleibt, gehört in aria-describedby.',
    ],
    'frame-focusable-content': [
      'Ein Frame mit Bedienelementen ist aus der Tabreihenfolge genommen',
      'Entfernen Sie den negativen tabindex vom Frame.',
    ],
    'frame-tested': [
      'Der Inhalt eines Frames konnte nicht geprüft werden',
      'Die Hinweise der Seite sagen, warum. Scannen Sie seine Adresse für sich, oder prüfen Sie ihn von Hand. Das Attribut sandbox darf bleiben: Mit allow-scripts kann der Frame geprüft werden. Verbergen Sie einen Frame, der nur Dekoration ist, mit aria-hidden="true".',
    ],
    'frame-title': ['Ein Frame hat keinen Titel', 'Sagen Sie im Attribut title, was er enthält.'],
    'frame-title-unique': [
      'Frame-Titel sind nicht eindeutig',
      'Geben Sie jedem Frame einen eigenen Titel, der sagt, was er enthält.',
    ],
    'heading-order': [
      'Eine Überschriftenebene ist übersprungen',
      'Verwenden Sie die Ebene, die auf die Überschrift darüber folgt: h3 unter h2. Die Größe bestimmt CSS.',
    ],
    'hidden-content': [
      'Verborgener Inhalt wurde nicht geprüft',
      'Zeigen Sie ihn, etwa durch ein Skript des Scans, und prüfen Sie erneut.',
    ],
    'html-has-lang': ['Die Sprache der Seite ist nicht angegeben', 'Setzen Sie lang am html-Element, etwa lang="de".'],
    'html-lang-valid': ['Ungültige Sprache der Seite', 'Verwenden Sie in lang einen gültigen Code wie de, de-AT oder en.'],
    'html-xml-lang-mismatch': [
      'lang und xml:lang stimmen nicht überein',
      'Setzen Sie lang und xml:lang auf dieselbe Sprache, oder entfernen Sie xml:lang.',
    ],
    'identical-links-same-purpose': [
      'Gleichnamige Links führen zu verschiedenen Zielen',
      'Benennen Sie jeden Link nach seinem Ziel, oder führen Sie beide zum selben.',
    ],
    'image-alt': [
      'Ein Bild hat keinen Alternativtext',
      'Sagen Sie in alt, was das Bild zeigt oder bewirkt. Ist es Dekoration, lassen Sie alt leer (alt="").',
    ],
    'image-redundant-alt': [
      'Der Alternativtext wiederholt den Text daneben',
      'Lassen Sie alt leer, wenn der Text es schon sagt.',
    ],
    'input-button-name': ['Eine Formularschaltfläche hat keine Beschriftung', 'Schreiben Sie ihren Namen in das Attribut value.'],
    'input-image-alt': ['Eine Bildschaltfläche hat keinen Alternativtext', 'Sagen Sie in alt, was die Schaltfläche bewirkt.'],
    label: [
      'Ein Formularfeld hat keine Beschriftung',
      'Ergänzen Sie ein label-Element, dessen for die ID des Feldes ist. Wo kein Platz ist, nehmen Sie aria-label.',
    ],
    'label-content-name-mismatch': [
      'Der zugängliche Name enthält den sichtbaren Text nicht',
      'Beginnen Sie aria-label mit dem sichtbaren Text, oder entfernen Sie es.',
    ],
    'label-title-only': [
      'Ein Formularfeld hat keine sichtbare Beschriftung',
      'Ergänzen Sie ein label-Element, das zu sehen ist.',
    ],
    'landmark-banner-is-top-level': [
      'Der Kopfbereich der Seite steht in einem anderen Bereich',
      'Holen Sie ihn aus main, Navigation und dergleichen heraus.',
    ],
    'landmark-complementary-is-top-level': [
      'Ergänzender Inhalt steht in einem anderen Bereich',
      'Holen Sie das aside-Element aus dem anderen Bereich heraus.',
    ],
    'landmark-contentinfo-is-top-level': [
      'Der Fußbereich der Seite steht in einem anderen Bereich',
      'Holen Sie ihn aus main, Navigation und dergleichen heraus.',
    ],
    'landmark-main-is-top-level': [
      'Der Hauptinhalt steht in einem anderen Bereich',
      'Holen Sie das main-Element aus dem anderen Bereich heraus.',
    ],
    'landmark-no-duplicate-banner': [
      'Die Seite hat mehr als einen Kopfbereich',
      'Behalten Sie einen header auf oberster Ebene; andere gehören in section oder article.',
    ],
    'landmark-no-duplicate-contentinfo': [
      'Die Seite hat mehr als einen Fußbereich',
      'Behalten Sie einen footer auf oberster Ebene; andere gehören in section oder article.',
    ],
    'landmark-no-duplicate-main': [
      'Die Seite hat mehr als einen Hauptbereich',
      'Setzen Sie den ganzen Hauptinhalt in ein main-Element.',
    ],
    'landmark-one-main': ['Die Seite hat keinen Hauptbereich', 'Umschließen Sie den Hauptinhalt mit einem main-Element.'],
    'landmark-unique': [
      'Bereiche brauchen eindeutige Namen',
      'Geben Sie jedem Bereich derselben Art mit aria-label einen Namen.',
    ],
    'link-in-text-block': [
      'Ein Link ist nur an der Farbe erkennbar',
      'Unterstreichen Sie Links im Text, oder geben Sie ihnen einen Kontrast von 3 zu 1 zum Text und bei Hover und Fokus einen Unterstrich.',
    ],
    'link-name': [
      'Ein Link hat keinen Namen',
      'Schreiben Sie Text hinein, der sagt, wohin er führt. Ein Bild darin braucht einen Alternativtext.',
    ],
    list: ['Eine Liste hat unzulässige Kindelemente', 'Setzen Sie in ul oder ol unmittelbar nur li-Elemente.'],
    listitem: ['Ein Listeneintrag steht außerhalb einer Liste', 'Umschließen Sie li-Elemente mit ul oder ol.'],
    marquee: ['Laufschrift', 'Entfernen Sie das Element marquee, und zeigen Sie den Text unbewegt.'],
    'meta-refresh': [
      'Die Seite lädt automatisch neu oder leitet weiter',
      'Entfernen Sie refresh. Leiten Sie auf dem Server weiter, oder überlassen Sie den Menschen den Zeitpunkt.',
    ],
    'meta-refresh-no-exceptions': [
      'Die Seite lädt automatisch neu oder leitet weiter, auch nach langer Zeit',
      'Entfernen Sie refresh, und überlassen Sie den Menschen den Zeitpunkt.',
    ],
    'meta-viewport': ['Vergrößern ist abgeschaltet', 'Entfernen Sie user-scalable=no und maximum-scale unter 2.'],
    'meta-viewport-large': ['Vergrößern ist begrenzt', 'Entfernen Sie maximum-scale, oder setzen Sie es auf 5 oder mehr.'],
    'nested-interactive': ['Bedienelemente sind ineinander verschachtelt', 'Setzen Sie die beiden nebeneinander.'],
    'no-autoplay-audio': [
      'Ton spielt automatisch länger als 3 Sekunden',
      'Entfernen Sie autoplay, oder ergänzen Sie ein Bedienelement zum Anhalten oder Stummschalten.',
    ],
    'object-alt': ['Ein eingebettetes Objekt hat keinen Alternativtext', 'Benennen Sie es mit aria-label oder title.'],
    'p-as-heading': [
      'Ein Absatz ist als Überschrift gestaltet',
      'Verwenden Sie ein Überschriftenelement, h1 bis h6, und gestalten Sie es mit CSS.',
    ],
    'page-has-heading-one': [
      'Die Seite hat keine Überschrift der ersten Ebene',
      'Zeichnen Sie den Titel des Hauptinhalts als h1 aus.',
    ],
    'presentation-role-conflict': [
      'Ein dekoratives Element wird an Hilfsmittel ausgegeben',
      'Entfernen Sie tabindex und ARIA-Attribute davon, oder die Rolle none.',
    ],
    region: ['Inhalt steht außerhalb aller Bereiche', 'Setzen Sie ihn in header, nav, main, aside oder footer.'],
    'role-img-alt': [
      'Ein Element mit der Rolle eines Bildes hat keinen Alternativtext',
      'Benennen Sie es mit aria-label oder aria-labelledby.',
    ],
    'scope-attr-valid': ['Ungültiges scope-Attribut', 'Verwenden Sie scope nur an th, mit row, col, rowgroup oder colgroup.'],
    'scrollable-region-focusable': [
      'Ein scrollbarer Bereich ist nicht mit der Tastatur erreichbar',
      'Geben Sie dem Bereich tabindex="0", eine Rolle und einen Namen.',
    ],
    'select-name': [
      'Ein Auswahlfeld hat keine Beschriftung',
      'Ergänzen Sie ein label-Element, dessen for die ID des Feldes ist.',
    ],
    'server-side-image-map': ['Serverseitige Imagemap', 'Verwenden Sie eine map mit area-Elementen, oder einfache Links.'],
    'skip-link': [
      'Das Ziel eines Sprunglinks gibt es nicht',
      'Geben Sie dem Hauptinhalt die ID, die der Link nennt, und machen Sie ihn mit tabindex="-1" fokussierbar. Zeigen Sie den Link, solange er den Fokus hat.',
    ],
    'summary-name': ['Ein summary-Element hat keinen Namen', 'Schreiben Sie in das summary-Element, was sich öffnet.'],
    'svg-img-alt': [
      'Ein SVG-Bild hat keinen Alternativtext',
      'Benennen Sie es mit aria-label oder einem title-Element, oder verbergen Sie Dekoration mit aria-hidden="true".',
    ],
    tabindex: [
      'Ein positiver tabindex ändert die Tabreihenfolge',
      'Verwenden Sie tabindex="0" oder keinen, und bringen Sie die Elemente im Code in die richtige Reihenfolge.',
    ],
    'table-duplicate-name': [
      'Beschriftung und Zusammenfassung einer Tabelle sind gleich',
      'Behalten Sie caption und entfernen Sie summary, oder lassen Sie es anderes sagen.',
    ],
    'table-fake-caption': [
      'Eine Zelle dient als Beschriftung einer Tabelle',
      'Verschieben Sie ihren Text in ein caption-Element.',
    ],
    'target-size': [
      'Ein Ziel ist zu klein und zu nah an anderen',
      'Machen Sie es mindestens 24 mal 24 Pixel groß, oder lassen Sie mehr Platz darum.',
    ],
    'td-has-header': [
      'Eine Datenzelle einer großen Tabelle hat keine Kopfzelle',
      'Verwenden Sie th mit scope für die Köpfe von Zeilen und Spalten.',
    ],
    'td-headers-attr': [
      'Eine Zelle verweist auf Kopfzellen, die nicht in ihrer Tabelle stehen',
      'Nennen Sie in headers nur IDs von th-Elementen derselben Tabelle.',
    ],
    'th-has-data-cells': [
      'Eine Kopfzelle hat keine Datenzellen',
      'Korrigieren Sie die Tabelle oder scope; verwenden Sie td, wo es keine Kopfzelle ist.',
    ],
    'valid-lang': ['Ungültiges lang-Attribut', 'Verwenden Sie in lang einen gültigen Code wie fr oder pt-BR.'],
    'video-caption': [
      'Ein Video hat keine Untertitel',
      'Ergänzen Sie eine Spur der Art captions mit allem, was gesagt wird, und mit Geräuschen, die zählen.',
    ],
  },
}
