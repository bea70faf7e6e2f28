import type { PdfTexts } from './model.ts'

/** Italian texts of the PDF rules. */
export const pdfTextsIt: PdfTexts = {
  why: {
    structure:
      'Gli screen reader e l’adattamento seguono i tag. Se mancano o sono errati, il contenuto viene saltato, ripetuto o letto in disordine.',
    content: 'Chi non vede la pagina, o la vede male, non ne ricava alcun testo utile.',
    alternative: 'Chi non lo vede non ne sa nulla: la descrizione è tutto ciò che uno screen reader può dire.',
    language:
      'Uno screen reader sceglie la voce in base alla lingua. Con quella sbagliata le parole diventano incomprensibili.',
    navigation: 'Chi non può scorrere con gli occhi si orienta con titoli, segnalibri e collegamenti.',
    table: 'Uno screen reader nomina le intestazioni di ogni cella. Senza, una tabella è una fila di valori sciolti.',
    form: 'Chi lavora con la tastiera o a orecchio non distingue i campi o non li raggiunge.',
    title: 'Il titolo è la prima cosa annunciata e distingue un documento aperto da un altro.',
    access: 'Le tecnologie assistive, e chi ne dipende, possono restare escluse da parti del documento.',
  },
  rules: {
    'pdf-tagged': ['Il documento non ha tag', 'Esportarlo di nuovo con l’opzione «PDF con tag».'],
    'pdf-scanned': [
      'La pagina è solo un’immagine e non ha testo',
      'Eseguire il riconoscimento del testo, poi aggiungere i tag.',
    ],
    'pdf-security': [
      'La protezione esclude le tecnologie assistive',
      'Consentire l’accesso al testo per gli screen reader.',
    ],
    'pdf-xfa': ['È un modulo XFA dinamico', 'Rifarlo come semplice modulo PDF o come modulo web.'],
    'pdf-portfolio': [
      'È un portfolio: i file che contiene non sono stati verificati',
      'Pubblicare i file uno per uno e verificarli.',
    ],
    'pdf-title': ['Il documento non ha titolo', 'Impostare il titolo nelle proprietà del documento.'],
    'pdf-title-shown': [
      'La finestra mostra il nome del file invece del titolo',
      'Scegliere «mostra titolo documento» nella vista iniziale.',
    ],
    'pdf-title-quality': ['Il titolo sembra un nome di file', 'Scrivere un titolo che dica di che cosa si tratta.'],
    'pdf-lang': ['La lingua del documento non è indicata', 'Indicare la lingua nelle proprietà del documento.'],
    'pdf-lang-valid': ['Un codice di lingua non è valido', 'Usare un codice come en, de-AT o pt-BR.'],
    'pdf-lang-alt': [
      'La lingua di una descrizione o etichetta non è nota',
      'Indicare la lingua sul tag o per il documento.',
    ],
    'pdf-lang-meta': ['La lingua di segnalibri o proprietà non è nota', 'Indicare la lingua del documento.'],
    'pdf-content-untagged': [
      'Del contenuto non ha tag e non è segnato come decorazione',
      'Aggiungere un tag o segnarlo come artefatto.',
    ],
    'pdf-artifact-nesting': [
      'Decorazione e contenuto reale sono mescolati',
      'Separare gli artefatti dal contenuto con tag.',
    ],
    'pdf-suspects': [
      'Il programma ha segnato i suoi tag come dubbi',
      'Rivedere i tag, poi togliere il segno «Suspects».',
    ],
    'pdf-role-unmapped': [
      'Un tag proprio non ha significato standard',
      'Associarlo a un tag standard nella mappa dei ruoli.',
    ],
    'pdf-role-loop': ['La mappa dei ruoli gira in tondo', 'Correggerla perché finisca in un tag standard.'],
    'pdf-role-remap': [
      'Un tag standard ha ricevuto un altro significato',
      'Togliere il tag standard dalla mappa dei ruoli.',
    ],
    'pdf-parent': ['Un tag non nomina il suo superiore', 'Esportare il documento con un altro programma o versione.'],
    'pdf-figure-alt': [
      'Un’immagine non ha testo alternativo',
      'Descrivere che cosa mostra, o segnarla come artefatto se è decorazione.',
    ],
    'pdf-alt-quality': [
      'Un testo alternativo sembra un nome di file o un riempitivo',
      'Descrivere che cosa dice l’immagine.',
    ],
    'pdf-formula-alt': ['Una formula non ha testo alternativo', 'Scrivere la formula a parole.'],
    'pdf-heading-skip': ['Un livello di titolo è saltato', 'Cominciare dal livello 1 e scendere di uno alla volta.'],
    'pdf-heading-mix': ['Titoli con e senza numero sono mescolati', 'Usare solo H1–H6.'],
    'pdf-no-headings': ['Un documento lungo non ha titoli', 'Segnare i titoli come H1–H6.'],
    'pdf-bookmarks': ['Un documento lungo non ha segnalibri', 'Creare i segnalibri dai titoli.'],
    'pdf-table-struct': [
      'Parti di una tabella sono annidate male',
      'Mettere le celle nelle righe e le righe nella tabella o in testata, corpo o piede.',
    ],
    'pdf-table-regular': [
      'Righe o colonne di una tabella hanno lunghezze diverse',
      'Correggere le celle unite finché ogni riga ha le stesse colonne.',
    ],
    'pdf-table-header': [
      'Non si capisce quali intestazioni ha una cella',
      'Dare un ambito a ogni intestazione o nominare quelle di ogni cella.',
    ],
    'pdf-table-headers-id': [
      'Una cella nomina un’intestazione che non esiste',
      'Correggere l’elenco delle intestazioni della cella.',
    ],
    'pdf-table-noheader': [
      'Una tabella non ha celle di intestazione',
      'Segnarle come TH; una tabella di impaginazione non deve avere il tag.',
    ],
    'pdf-list-struct': [
      'Parti di un elenco sono annidate male',
      'Mettere le voci nell’elenco, etichetta e testo nella voce.',
    ],
    'pdf-toc-struct': ['Parti di un sommario sono annidate male', 'Mettere le voci (TOCI) nel sommario (TOC).'],
    'pdf-note-id': ['Una nota non ha un identificatore proprio', 'Dare a ogni nota un ID unico.'],
    'pdf-link-tag': ['Un collegamento non è in un tag Link', 'Metterlo in un tag Link.'],
    'pdf-link-text': ['Un collegamento non ha descrizione', 'Scrivere nelle proprietà dove porta.'],
    'pdf-field-name': ['Un campo del modulo non ha nome', 'Compilare la descrizione comando del campo.'],
    'pdf-field-tag': ['Un campo non è in un tag Form', 'Metterlo in un tag Form tutto suo.'],
    'pdf-annot-tag': ['Un’annotazione non è nell’albero dei tag', 'Metterla in un tag Annot.'],
    'pdf-annot-alt': ['Un’annotazione non ha descrizione', 'Compilare il suo contenuto.'],
    'pdf-trapnet': ['Contiene trapping di stampa non ammesso', 'Esportarlo senza trapping.'],
    'pdf-printer-mark': ['Un segno di stampa ha un tag di contenuto', 'Toglierlo dall’albero dei tag.'],
    'pdf-tab-order': [
      'Il tasto Tab non segue i tag',
      'Impostare l’ordine di tabulazione su «usa struttura documento».',
    ],
    'pdf-media': [
      'A un audio o video manca il tipo o la descrizione',
      'Indicare il tipo di contenuto e un testo alternativo.',
    ],
    'pdf-attachment': ['Un file allegato non ha nome', 'Dare un nome al file allegato.'],
    'pdf-layers': [
      'Un’impostazione dei livelli non ha nome o cambia da sola',
      'Darle un nome e togliere gli stati automatici.',
    ],
    'pdf-form-xobject': [
      'Un blocco riusato confonde l’ordine di lettura',
      'Esportare di nuovo; il contenuto con tag si disegna una volta sola.',
    ],
    'pdf-unicode': [
      'Il testo non può essere letto: i caratteri sono ignoti',
      'Esportare con font che conservano i valori Unicode.',
    ],
    'pdf-font-embed': ['Un font non è incorporato', 'Incorporare tutti i font durante l’esportazione.'],
    'pdf-font-data': ['I dati di un font si contraddicono', 'Esportare con un altro programma o un altro font.'],
    'pdf-ua-id': ['Non si dichiara PDF/UA', 'Esportare come PDF/UA-1, o impostare il segno quando il resto è giusto.'],
    'pdf-header': ['La prima riga non nomina una versione di PDF', 'Salvarlo con un programma attuale.'],
    'pdf-contrast': [
      'Il testo ha poco contrasto con lo sfondo',
      'Usare colori con contrasto di almeno 4,5 a 1 (3 a 1 per testo grande).',
    ],
    'pdf-order': [
      'I tag sembrano in un ordine diverso dalla pagina',
      'Leggere la pagina secondo i tag e spostare quelli fuori posto.',
    ],
  },
}
