import type { AxeTexts } from './model.ts'

export const axeTextsIt: AxeTexts = {
  why: {
    aria: 'Le tecnologie assistive ignorano o fraintendono l’ARIA non valido: danno un’idea sbagliata di che cosa sia l’elemento e di che cosa faccia.',
    autofill:
      'I browser compilano i dati noti grazie a questo attributo e risparmiano la digitazione a chi ha difficoltà motorie o di memoria. Qui non riesce.',
    braille: 'La barra braille mostra un testo che la voce non ha: chi usa entrambe riceve informazioni diverse.',
    captions: 'Le persone sorde o con problemi di udito perdono ciò che viene detto.',
    color: 'Chi non vede la differenza di colore non distingue il collegamento dal testo circostante.',
    contrast: 'Le persone ipovedenti o daltoniche, e chiunque in piena luce, leggono a fatica il testo.',
    control:
      'Uno screen reader può dire solo il tipo di elemento, e il controllo vocale non ha un nome da chiamare. Nessuno sa che cosa faccia.',
    field:
      'Con uno screen reader non si sa che cosa inserire o scegliere, e il controllo vocale non può raggiungere il campo per nome.',
    focus:
      'Chi usa la tastiera perde l’orientamento: il focus si muove in un ordine inatteso o si ferma dove non c’è nulla da fare.',
    frame:
      'Con uno screen reader i frame si scelgono per nome. Senza un nome proprio bisogna entrare in ognuno per sapere che cosa contiene.',
    ghost: 'La tastiera può fermarsi qui, ma lo screen reader tace o si contraddice: non si sa dove ci si trova.',
    headings:
      'Molte persone con screen reader si orientano con i titoli. Se mancano, sono vuoti o saltati, portano fuori strada.',
    hidden: 'L’intera pagina è nascosta agli screen reader: per chi li usa è vuota.',
    ids: 'Etichette, collegamenti e script trovano un elemento dal suo ID. Se è doppio, possono portare all’elemento sbagliato.',
    image: 'Chi non vede l’immagine non ne sa nulla: lo screen reader la salta o ne legge il nome del file.',
    keyboard: 'Chi usa la tastiera al posto del mouse non può raggiungerlo o usarlo.',
    labels: 'Fra più etichette, non tutti gli screen reader leggono la stessa: forse se ne sente solo metà.',
    language: 'Uno screen reader sceglie la voce in base alla lingua. Con quella sbagliata le parole diventano incomprensibili.',
    lists: 'Uno screen reader dice quante voci ha un elenco e quale sta leggendo. Un markup errato lo impedisce.',
    mismatch: 'Con il controllo vocale si dicono le parole che si vedono. Il nome nel codice è un altro e non succede nulla.',
    motion:
      'Il testo che si muove o lampeggia distrae chi ha disturbi dell’attenzione, e chi legge lentamente non riesce a seguirlo.',
    nested:
      'Uno screen reader tratta il contenuto come un pezzo unico: ciò che all’interno è interattivo non viene annunciato, ma riceve il focus.',
    parts:
      'Gli screen reader compongono elenchi, menu, schede e tabelle dalle loro parti. Se una manca o è fuori posto, le annunciano male.',
    regions:
      'Con uno screen reader si salta fra regioni come intestazione, navigazione e contenuto principale. Se mancano, sono annidate o doppie, confondono.',
    rotate: 'Chi ha il dispositivo fissato a una sedia a rotelle o a un letto non può ruotarlo e vede la pagina di lato.',
    same: 'Gli screen reader elencano i collegamenti senza il testo intorno. Due con lo stesso nome sembrano portare allo stesso posto.',
    shortcut: 'Per quel tasto i browser scelgono elementi diversi: si attiva quello sbagliato.',
    skip: 'Con la tastiera o uno screen reader bisogna ripercorrere gli stessi menu in ogni pagina.',
    sound: 'Un suono che parte da solo copre lo screen reader: non si sente come fermarlo.',
    spacing:
      'Le persone dislessiche o ipovedenti aumentano le spaziature per leggere meglio. Questo stile annulla le loro impostazioni.',
    tables: 'Uno screen reader nomina le intestazioni di ogni cella. Senza, una tabella è una fila di valori sciolti.',
    target: 'Chi ha un tremore o usa uno schermo tattile con una mano manca i bersagli piccoli o tocca quello accanto.',
    time: 'La pagina cambia mentre la si sta ancora leggendo, e lo screen reader ricomincia dall’alto.',
    title: 'Il titolo è la prima cosa che dice uno screen reader e ciò che distingue una scheda dall’altra.',
    twice: 'Uno screen reader legge due volte di seguito le stesse parole.',
    unseen: 'Ciò che non è stato verificato può contenere qualsiasi problema: il risultato non è completo.',
    visible:
      'Un suggerimento o un testo nascosto non è un’etichetta stabile: con tastiera, schermo tattile o ingrandimento non si vede.',
    widget: 'Uno screen reader dice che c’è, ma non di che cosa si tratta.',
    zoom: 'Le persone ipovedenti ingrandiscono la pagina per leggerla. Qui il browser non lo consente.',
  },
  rules: {
    accesskeys: ['I tasti di accesso non sono univoci', 'Assegnare ogni tasto di accesso una sola volta o, meglio, rimuoverli.'],
    'area-alt': ['Un’area selezionabile di un’immagine non ha testo alternativo', 'Indicare in alt dove porta l’area.'],
    'aria-allowed-attr': [
      'Il ruolo non ammette questo attributo ARIA',
      'Rimuovere l’attributo, oppure usare il ruolo a cui appartiene.',
    ],
    'aria-allowed-role': [
      'Il ruolo non è ammesso su questo elemento',
      'Rimuovere il ruolo, oppure metterlo su un div o uno span. Meglio ancora, usare l’elemento HTML che lo ha per natura.',
    ],
    'aria-braille-equivalent': [
      'Un testo braille non ha un equivalente vocale',
      'Aggiungere aria-label o aria-roledescription, oppure rimuovere l’attributo braille.',
    ],
    'aria-command-name': [
      'Un pulsante, un collegamento o una voce di menu non ha nome',
      'Inserire del testo, oppure dare un nome con aria-label.',
    ],
    'aria-conditional-attr': [
      'Un attributo ARIA contraddice il suo elemento',
      'Rimuoverlo. Una casella di controllo o un pulsante di opzione ha il suo stato dall’HTML, per esempio da checked. Una riga di tabella può avere aria-expanded, aria-level, aria-posinset e aria-setsize solo in un treegrid.',
    ],
    'aria-deprecated-role': ['Il ruolo è deprecato', 'Rimuoverlo, oppure usare il ruolo o l’elemento che lo sostituisce.'],
    'aria-dialog-name': [
      'Una finestra di dialogo non ha nome',
      'Far puntare aria-labelledby al suo titolo, oppure dare un nome con aria-label.',
    ],
    'aria-hidden-body': [
      'L’intera pagina è nascosta alle tecnologie assistive',
      'Togliere aria-hidden da body. Per nascondere ciò che sta dietro una finestra di dialogo, metterlo solo su quella parte.',
    ],
    'aria-hidden-focus': [
      'Un elemento nascosto può ricevere il focus',
      'Toglierlo dall’ordine di tabulazione con tabindex="-1", disattivarlo o usare inert, oppure non nasconderlo.',
    ],
    'aria-input-field-name': [
      'Un campo di immissione personalizzato non ha nome',
      'Far puntare aria-labelledby alla sua etichetta visibile, oppure dare un nome con aria-label.',
    ],
    'aria-meter-name': ['Un indicatore di misura non ha nome', 'Dire con aria-label o aria-labelledby che cosa misura.'],
    'aria-progressbar-name': ['Una barra di avanzamento non ha nome', 'Dire con aria-label o aria-labelledby che cosa avanza.'],
    'aria-prohibited-attr': [
      'Attributo ARIA non ammesso',
      'Rimuovere l’attributo e scrivere il testo nella pagina, oppure dare all’elemento un ruolo che lo ammette.',
    ],
    'aria-required-attr': [
      'Manca un attributo ARIA obbligatorio',
      'Aggiungere l’attributo richiesto dal ruolo, oppure usare l’elemento HTML.',
    ],
    'aria-required-children': [
      'Mancano i ruoli figli obbligatori',
      'Inserire solo elementi con i ruoli previsti, oppure rimuovere il ruolo.',
    ],
    'aria-required-parent': ['Manca il ruolo padre obbligatorio', 'Racchiudere l’elemento in uno con il ruolo previsto.'],
    'aria-roledescription': [
      'Una descrizione del ruolo è su un elemento senza ruolo',
      'Dare all’elemento un ruolo adatto, oppure rimuovere aria-roledescription.',
    ],
    'aria-roles': ['Ruolo ARIA non valido', 'Correggere la grafia, oppure rimuovere il ruolo.'],
    'aria-tab-name': ['Una scheda non ha nome', 'Inserire del testo, oppure dare un nome con aria-label.'],
    'aria-text': [
      'Un testo letto come pezzo unico contiene un controllo',
      'Rimuovere role="text", oppure portare fuori il collegamento o il pulsante.',
    ],
    'aria-toggle-field-name': [
      'Una casella, un pulsante di opzione o un interruttore personalizzato non ha nome',
      'Inserire del testo, oppure dare un nome con aria-labelledby o aria-label.',
    ],
    'aria-tooltip-name': ['Un suggerimento non ha testo', 'Scriverne il testo all’interno, oppure dare un nome con aria-label.'],
    'aria-treeitem-name': ['Una voce di un albero non ha nome', 'Inserire del testo, oppure dare un nome con aria-label.'],
    'aria-valid-attr': ['Attributo ARIA non valido', 'Correggere la grafia, oppure rimuovere l’attributo.'],
    'aria-valid-attr-value': [
      'Valore non valido di un attributo ARIA',
      'Usare uno dei valori ammessi. Se nomina un ID, deve esistere un elemento con quell’ID.',
    ],
    'audio-caption': [
      'Un audio non ha sottotitoli',
      'Mettere una trascrizione accanto. I browser non mostrano i sottotitoli di un elemento audio: per mostrarli, riprodurre la registrazione in un elemento video con una traccia di sottotitoli.',
    ],
    'autocomplete-valid': [
      'Attributo autocomplete non valido',
      'Usare un valore dello standard HTML adatto al campo, come email o postal-code.',
    ],
    'avoid-inline-spacing': [
      'La spaziatura del testo non si può modificare',
      'Togliere !important da line-height, letter-spacing e word-spacing nell’attributo style.',
    ],
    blink: ['Testo lampeggiante', 'Rimuovere l’elemento blink e mettere in risalto il testo in altro modo.'],
    'button-name': ['Un pulsante non ha nome', 'Inserire del testo. Se ha solo un’icona, aggiungere aria-label.'],
    bypass: [
      'I contenuti ripetuti non si possono saltare',
      'Contrassegnare contenuto principale, navigazione e titoli, e mettere per primo un collegamento per saltare.',
    ],
    'color-contrast': [
      'Il testo ha troppo poco contrasto',
      'Scurire il testo o schiarire lo sfondo (o viceversa): almeno 4,5 a 1, oppure 3 a 1 per il testo grande.',
    ],
    'color-contrast-enhanced': [
      'Il testo non raggiunge il contrasto avanzato',
      'Scurire il testo o schiarire lo sfondo (o viceversa): almeno 7 a 1, oppure 4,5 a 1 per il testo grande.',
    ],
    'css-orientation-lock': [
      'La pagina è bloccata in un orientamento',
      'Togliere la rotazione dalla media query; prevedere la pagina in verticale e in orizzontale.',
    ],
    'definition-list': [
      'Un elenco di descrizioni ha una struttura errata',
      'Mettere in dl solo gruppi di dt e dd, oppure elementi div che li contengono.',
    ],
    dlitem: ['Un termine o una descrizione è fuori da un elenco di descrizioni', 'Racchiudere dt e dd in un elemento dl.'],
    'document-title': ['La pagina non ha titolo', 'Scrivere un elemento title che nomini prima la pagina e poi il sito.'],
    'duplicate-id': ['Gli ID non sono univoci', 'Dare a ogni elemento un ID proprio.'],
    'duplicate-id-active': ['Gli ID dei controlli non sono univoci', 'Dare a ogni controllo un ID proprio.'],
    'duplicate-id-aria': [
      'Gli ID usati da etichette o ARIA non sono univoci',
      'Dare a ogni elemento un ID proprio e controllare che cosa vi rimanda.',
    ],
    'empty-heading': [
      'Un titolo è vuoto',
      'Scriverne il testo, oppure rimuoverlo. Un’immagine all’interno richiede un testo alternativo.',
    ],
    'empty-table-header': [
      'Una cella di intestazione di una tabella è vuota',
      'Scrivere che cosa contiene la riga o la colonna. Per un angolo vuoto usare td.',
    ],
    'focus-order-semantics': [
      'Un elemento che riceve il focus non ha un ruolo interattivo',
      'Usare un pulsante o un collegamento, oppure rimuovere tabindex.',
    ],
    'form-field-multiple-labels': ['Un campo ha più etichette', 'Unirle in una sola; descrivere il resto con aria-describedby.'],
    'frame-focusable-content': [
      'Un frame con controlli è escluso dall’ordine di tabulazione',
      'Togliere il tabindex negativo dal frame.',
    ],
    'frame-tested': [
      'Non è stato possibile verificare il contenuto di un frame',
      'Gli avvisi della pagina dicono perché. Scansionarne l’indirizzo a parte, oppure verificarlo a mano. L’attributo sandbox può restare: con allow-scripts il frame si può verificare. Nascondere con aria-hidden="true" un frame che è solo decorazione.',
    ],
    'frame-title': ['Un frame non ha titolo', 'Dire nel suo attributo title che cosa contiene.'],
    'frame-title-unique': [
      'I titoli dei frame non sono univoci',
      'Dare a ogni frame un titolo proprio che dica che cosa contiene.',
    ],
    'heading-order': [
      'Un livello di titolo è saltato',
      'Usare il livello che segue il titolo precedente: h3 sotto h2. La dimensione si imposta con CSS.',
    ],
    'hidden-content': [
      'Del contenuto nascosto non è stato verificato',
      'Mostrarlo, per esempio con uno script della scansione, e verificare di nuovo.',
    ],
    'html-has-lang': ['La lingua della pagina non è indicata', 'Indicare lang sull’elemento html, per esempio lang="it".'],
    'html-lang-valid': ['Lingua della pagina non valida', 'Usare in lang un codice valido come it, de-AT o en.'],
    'html-xml-lang-mismatch': [
      'lang e xml:lang non corrispondono',
      'Mettere la stessa lingua in lang e xml:lang, oppure rimuovere xml:lang.',
    ],
    'identical-links-same-purpose': [
      'Collegamenti con lo stesso nome portano a posti diversi',
      'Dare a ogni collegamento il nome della sua destinazione, oppure portare entrambi alla stessa.',
    ],
    'image-alt': [
      'Un’immagine non ha testo alternativo',
      'Dire in alt che cosa mostra o fa l’immagine. Se è decorativa, lasciare alt vuoto (alt="").',
    ],
    'image-redundant-alt': ['Il testo alternativo ripete il testo accanto', 'Lasciare alt vuoto quando il testo lo dice già.'],
    'input-button-name': ['Un pulsante di un modulo non ha etichetta', 'Scriverne il nome nell’attributo value.'],
    'input-image-alt': ['Un pulsante immagine non ha testo alternativo', 'Dire in alt che cosa fa il pulsante.'],
    label: [
      'Un campo di un modulo non ha etichetta',
      'Aggiungere un elemento label il cui for è l’ID del campo. Se manca lo spazio, usare aria-label.',
    ],
    'label-content-name-mismatch': [
      'Il nome accessibile non contiene il testo visibile',
      'Iniziare aria-label con il testo visibile, oppure rimuoverlo.',
    ],
    'label-title-only': [
      'Un campo di un modulo non ha un’etichetta visibile',
      'Aggiungere un elemento label che si possa vedere.',
    ],
    'landmark-banner-is-top-level': [
      'L’intestazione della pagina è dentro un’altra regione',
      'Portarla fuori da main, navigazione e simili.',
    ],
    'landmark-complementary-is-top-level': [
      'Un contenuto complementare è dentro un’altra regione',
      'Portare l’elemento aside fuori dall’altra regione.',
    ],
    'landmark-contentinfo-is-top-level': [
      'Il piè di pagina è dentro un’altra regione',
      'Portarlo fuori da main, navigazione e simili.',
    ],
    'landmark-main-is-top-level': [
      'Il contenuto principale è dentro un’altra regione',
      'Portare l’elemento main fuori dall’altra regione.',
    ],
    'landmark-no-duplicate-banner': [
      'La pagina ha più di una regione di intestazione',
      'Tenere un solo header al livello più alto; mettere gli altri in section o article.',
    ],
    'landmark-no-duplicate-contentinfo': [
      'La pagina ha più di una regione di piè di pagina',
      'Tenere un solo footer al livello più alto; mettere gli altri in section o article.',
    ],
    'landmark-no-duplicate-main': [
      'La pagina ha più di una regione principale',
      'Mettere tutto il contenuto principale in un solo elemento main.',
    ],
    'landmark-one-main': ['La pagina non ha una regione principale', 'Racchiudere il contenuto principale in un elemento main.'],
    'landmark-unique': ['Le regioni devono avere nomi univoci', 'Dare un nome a ogni regione dello stesso tipo con aria-label.'],
    'link-in-text-block': [
      'Un collegamento si distingue dal testo solo per il colore',
      'Sottolineare i collegamenti nel testo, oppure dare un contrasto di 3 a 1 con il testo e una sottolineatura al passaggio e con il focus.',
    ],
    'link-name': [
      'Un collegamento non ha nome',
      'Inserire un testo che dica dove porta. Un’immagine all’interno richiede un testo alternativo.',
    ],
    list: ['Un elenco ha elementi figli non validi', 'Mettere direttamente in ul o ol solo elementi li.'],
    listitem: ['Una voce di elenco è fuori da un elenco', 'Racchiudere gli elementi li in ul o ol.'],
    marquee: ['Testo scorrevole', 'Rimuovere l’elemento marquee e mostrare il testo fermo.'],
    'meta-refresh': [
      'La pagina si ricarica o reindirizza automaticamente',
      'Rimuovere refresh. Reindirizzare sul server, oppure lasciare che ognuno scelga quando.',
    ],
    'meta-refresh-no-exceptions': [
      'La pagina si ricarica o reindirizza automaticamente, anche dopo molto tempo',
      'Rimuovere refresh e lasciare che ognuno scelga quando.',
    ],
    'meta-viewport': ['Lo zoom è disattivato', 'Rimuovere user-scalable=no, e maximum-scale inferiore a 2.'],
    'meta-viewport-large': ['Lo zoom è limitato', 'Rimuovere maximum-scale, oppure impostarlo a 5 o più.'],
    'nested-interactive': ['Ci sono controlli interattivi annidati', 'Mettere i due uno accanto all’altro.'],
    'no-autoplay-audio': [
      'Un audio parte automaticamente e dura più di 3 secondi',
      'Rimuovere autoplay, oppure aggiungere un controllo per fermarlo o silenziarlo.',
    ],
    'object-alt': ['Un oggetto incorporato non ha testo alternativo', 'Dare un nome con aria-label o title.'],
    'p-as-heading': [
      'Un paragrafo ha lo stile di un titolo',
      'Usare un elemento di titolo, da h1 a h6, e definirne lo stile con CSS.',
    ],
    'page-has-heading-one': [
      'La pagina non ha un titolo di primo livello',
      'Contrassegnare come h1 il titolo del contenuto principale.',
    ],
    'presentation-role-conflict': [
      'Un elemento decorativo è esposto alle tecnologie assistive',
      'Togliere tabindex e gli attributi ARIA, oppure il ruolo none.',
    ],
    region: ['Del contenuto è fuori da ogni regione', 'Metterlo in header, nav, main, aside o footer.'],
    'role-img-alt': [
      'Un elemento con il ruolo di immagine non ha testo alternativo',
      'Dare un nome con aria-label o aria-labelledby.',
    ],
    'scope-attr-valid': ['Attributo scope non valido', 'Usare scope solo su th, con row, col, rowgroup o colgroup.'],
    'scrollable-region-focusable': [
      'Un’area scorrevole non è accessibile da tastiera',
      'Aggiungere all’area tabindex="0", un ruolo e un nome.',
    ],
    'select-name': ['Un elenco a discesa non ha etichetta', 'Aggiungere un elemento label il cui for è l’ID del campo.'],
    'server-side-image-map': ['Mappa immagine lato server', 'Usare un elemento map con area, oppure semplici collegamenti.'],
    'skip-link': [
      'La destinazione di un collegamento per saltare non esiste',
      'Dare al contenuto principale l’ID indicato dal collegamento e renderlo focalizzabile con tabindex="-1". Mostrare il collegamento finché ha il focus.',
    ],
    'summary-name': ['Un elemento summary non ha nome', 'Scrivere nell’elemento summary che cosa si apre.'],
    'svg-img-alt': [
      'Un’immagine SVG non ha testo alternativo',
      'Dare un nome con aria-label o con un elemento title, oppure nascondere la decorazione con aria-hidden="true".',
    ],
    tabindex: [
      'Un tabindex positivo cambia l’ordine di tabulazione',
      'Usare tabindex="0" o nessuno, e mettere gli elementi nell’ordine giusto nel codice.',
    ],
    'table-duplicate-name': [
      'Didascalia e riepilogo di una tabella sono uguali',
      'Tenere caption e rimuovere summary, oppure fargli dire altro.',
    ],
    'table-fake-caption': ['Una cella è usata come didascalia di una tabella', 'Spostarne il testo in un elemento caption.'],
    'target-size': [
      'Un bersaglio è troppo piccolo e troppo vicino ad altri',
      'Renderlo di almeno 24 per 24 pixel, oppure lasciare più spazio intorno.',
    ],
    'td-has-header': [
      'Una cella di dati di una tabella grande non ha intestazione',
      'Usare th con scope per le intestazioni di righe e colonne.',
    ],
    'td-headers-attr': [
      'Una cella rimanda a intestazioni che non sono nella sua tabella',
      'Indicare in headers solo ID di elementi th della stessa tabella.',
    ],
    'th-has-data-cells': [
      'Un’intestazione di tabella non ha celle di dati',
      'Correggere la tabella o scope; usare td dove non è un’intestazione.',
    ],
    'valid-lang': ['Attributo lang non valido', 'Usare in lang un codice valido come fr o pt-BR.'],
    'video-caption': [
      'Un video non ha sottotitoli',
      'Aggiungere una traccia di tipo captions con tutto ciò che viene detto e i suoni che contano.',
    ],
  },
}
