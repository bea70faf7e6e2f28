import type { PdfTexts } from './model.ts'

/** Spanish texts of the PDF rules. */
export const pdfTextsEs: PdfTexts = {
  why: {
    structure:
      'Los lectores de pantalla y el reflujo siguen las etiquetas. Si faltan o son erróneas, el contenido se salta, se repite o se lee en otro orden.',
    content: 'Quien no ve la página, o la ve mal, no recibe de ella ningún texto útil.',
    alternative: 'Quien no lo ve no sabe nada de ello: la descripción es todo lo que puede decir un lector de pantalla.',
    language: 'Un lector de pantalla elige la voz por el idioma. Con el equivocado, las palabras son ruido.',
    navigation: 'Quien no puede ojear se orienta por los encabezados, los marcadores y los enlaces.',
    table: 'Un lector de pantalla dice los encabezados de cada celda. Sin ellos, una tabla es una fila de valores sueltos.',
    form: 'Quien trabaja con el teclado o de oído no distingue los campos o no llega a ellos.',
    title: 'El título es lo primero que se anuncia y lo que distingue un documento abierto de otro.',
    access: 'Las ayudas técnicas, y quienes dependen de ellas, pueden quedar fuera de partes del documento.',
  },
  rules: {
    'pdf-tagged': ['El documento no está etiquetado', 'Expórtelo de nuevo con la opción «PDF etiquetado».'],
    'pdf-scanned': [
      'La página es solo una imagen y no tiene texto',
      'Aplique reconocimiento de texto y después etiquete el documento.',
    ],
    'pdf-security': [
      'La protección excluye las ayudas técnicas',
      'Permita el acceso al texto para lectores de pantalla en la seguridad.',
    ],
    'pdf-xfa': ['Es un formulario XFA dinámico', 'Rehágalo como formulario PDF sencillo o como formulario web.'],
    'pdf-portfolio': [
      'Es una cartera: los archivos que contiene no se han comprobado',
      'Publique los archivos por separado y compruebe cada uno.',
    ],
    'pdf-title': ['El documento no tiene título', 'Ponga el título en las propiedades del documento.'],
    'pdf-title-shown': [
      'La ventana muestra el nombre del archivo y no el título',
      'Elija «mostrar título del documento» en la vista inicial.',
    ],
    'pdf-title-quality': ['El título parece un nombre de archivo', 'Escriba un título que diga de qué trata.'],
    'pdf-lang': ['El idioma del documento no está indicado', 'Indique el idioma en las propiedades del documento.'],
    'pdf-lang-valid': ['Un código de idioma no es válido', 'Use un código como en, de-AT o pt-BR.'],
    'pdf-lang-alt': ['No se conoce el idioma de una descripción o rótulo', 'Indique el idioma en la etiqueta o en el documento.'],
    'pdf-lang-meta': ['No se conoce el idioma de los marcadores o propiedades', 'Indique el idioma del documento.'],
    'pdf-content-untagged': ['Hay contenido sin etiqueta que tampoco es decoración', 'Etiquételo o márquelo como artefacto.'],
    'pdf-artifact-nesting': ['Decoración y contenido real están mezclados', 'Separe los artefactos del contenido etiquetado.'],
    'pdf-suspects': ['El programa marcó sus etiquetas como dudosas', 'Revise las etiquetas y quite la marca «Suspects».'],
    'pdf-role-unmapped': [
      'Una etiqueta propia no tiene significado estándar',
      'Asígnela a una etiqueta estándar en el mapa de funciones.',
    ],
    'pdf-role-loop': ['El mapa de funciones da vueltas en círculo', 'Corríjalo para que acabe en una etiqueta estándar.'],
    'pdf-role-remap': ['Una etiqueta estándar tiene otro significado', 'Quite la etiqueta estándar del mapa de funciones.'],
    'pdf-parent': ['Una etiqueta no nombra a su superior', 'Exporte el documento con otro programa u otra versión.'],
    'pdf-figure-alt': [
      'Una imagen no tiene texto alternativo',
      'Describa lo que muestra, o márquela como artefacto si es decoración.',
    ],
    'pdf-alt-quality': ['Un texto alternativo parece un nombre de archivo o un relleno', 'Describa lo que dice la imagen.'],
    'pdf-formula-alt': ['Una fórmula no tiene texto alternativo', 'Escriba la fórmula con palabras.'],
    'pdf-heading-skip': ['Se salta un nivel de encabezado', 'Empiece por el nivel 1 y baje de uno en uno.'],
    'pdf-heading-mix': ['Se mezclan encabezados con y sin número', 'Use solo H1 a H6.'],
    'pdf-no-headings': ['Un documento largo no tiene encabezados', 'Etiquete sus encabezados como H1 a H6.'],
    'pdf-bookmarks': ['Un documento largo no tiene marcadores', 'Cree marcadores a partir de los encabezados.'],
    'pdf-table-struct': [
      'Partes de una tabla están mal anidadas',
      'Ponga las celdas en filas, y las filas en la tabla o en su cabecera, cuerpo o pie.',
    ],
    'pdf-table-regular': [
      'Las filas o columnas de una tabla tienen distinta longitud',
      'Corrija las celdas combinadas hasta que todas las filas tengan las mismas columnas.',
    ],
    'pdf-table-header': [
      'No se sabe qué encabezados tiene una celda',
      'Dé un ámbito a cada encabezado o nombre los de cada celda.',
    ],
    'pdf-table-headers-id': ['Una celda nombra un encabezado que no existe', 'Corrija la lista de encabezados de la celda.'],
    'pdf-table-noheader': [
      'Una tabla no tiene celdas de encabezado',
      'Etiquételas como TH; una tabla de maquetación no debe ser tabla.',
    ],
    'pdf-list-struct': [
      'Partes de una lista están mal anidadas',
      'Ponga los elementos en la lista, y la viñeta y el texto en el elemento.',
    ],
    'pdf-toc-struct': ['Partes de un índice están mal anidadas', 'Ponga las entradas (TOCI) en el índice (TOC).'],
    'pdf-note-id': ['Una nota no tiene identificador propio', 'Dé a cada nota un ID único.'],
    'pdf-link-tag': ['Un enlace no está en una etiqueta Link', 'Métalo en una etiqueta Link.'],
    'pdf-link-text': ['Un enlace no tiene descripción', 'Diga en sus propiedades adónde lleva.'],
    'pdf-field-name': ['Un campo de formulario no tiene nombre', 'Rellene la información sobre herramientas del campo.'],
    'pdf-field-tag': ['Un campo no está en una etiqueta Form', 'Métalo en una etiqueta Form propia.'],
    'pdf-annot-tag': ['Una anotación no está en el árbol de etiquetas', 'Métala en una etiqueta Annot.'],
    'pdf-annot-alt': ['Una anotación no tiene descripción', 'Rellene su contenido.'],
    'pdf-trapnet': ['Contiene reventados de imprenta que no se permiten', 'Expórtelo sin redes de reventado.'],
    'pdf-printer-mark': ['Una marca de imprenta está etiquetada como contenido', 'Quítela del árbol de etiquetas.'],
    'pdf-tab-order': ['El tabulador no sigue las etiquetas', 'Ponga el orden de tabulación en «usar estructura del documento».'],
    'pdf-media': [
      'A un sonido o vídeo le falta el tipo o la descripción',
      'Indique el tipo de contenido y un texto alternativo.',
    ],
    'pdf-attachment': ['Un archivo adjunto no tiene nombre', 'Ponga nombre al archivo adjunto.'],
    'pdf-layers': ['Un ajuste de capas no tiene nombre o cambia solo', 'Póngale nombre y quite sus estados automáticos.'],
    'pdf-form-xobject': [
      'Un bloque reutilizado confunde el orden de lectura',
      'Expórtelo de nuevo; el contenido etiquetado se dibuja una sola vez.',
    ],
    'pdf-unicode': [
      'El texto no se puede leer en voz alta: se desconocen sus caracteres',
      'Expórtelo con fuentes que conserven sus valores Unicode.',
    ],
    'pdf-font-embed': ['Una fuente no está incrustada', 'Incruste todas las fuentes al exportar.'],
    'pdf-font-data': ['Los datos de una fuente se contradicen', 'Expórtelo con otro programa u otra fuente.'],
    'pdf-ua-id': ['No se declara como PDF/UA', 'Expórtelo como PDF/UA-1 o ponga la marca cuando todo lo demás esté bien.'],
    'pdf-header': ['La primera línea no nombra una versión de PDF', 'Guárdelo con un programa actual.'],
    'pdf-contrast': [
      'El texto tiene poco contraste con el fondo',
      'Use colores con un contraste de al menos 4,5 a 1 (3 a 1 en texto grande).',
    ],
    'pdf-order': [
      'Las etiquetas parecen seguir otro orden que la página',
      'Lea la página por sus etiquetas y mueva las que estén fuera de sitio.',
    ],
  },
}
