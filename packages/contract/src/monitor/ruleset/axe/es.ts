import type { AxeTexts } from './model.ts'

export const axeTextsEs: AxeTexts = {
  why: {
    aria: 'Las ayudas técnicas ignoran o interpretan mal el ARIA no válido: dan una idea falsa de qué es el elemento y qué hace.',
    autofill:
      'Los navegadores rellenan los datos conocidos con este atributo y ahorran escribir a las personas con problemas motores o de memoria. Aquí no funciona.',
    braille: 'La línea braille muestra un texto que la voz no tiene: quien usa ambas recibe informaciones distintas.',
    captions: 'Las personas sordas o con dificultades de audición se pierden lo que se dice.',
    color: 'Quien no ve la diferencia de color no distingue el enlace del texto que lo rodea.',
    contrast: 'Las personas con baja visión o daltonismo, y cualquiera a plena luz, apenas pueden leer el texto.',
    control:
      'Un lector de pantalla solo puede decir el tipo de elemento, y el control por voz no tiene un nombre al que llamar. Nadie sabe qué hace.',
    field:
      'Con un lector de pantalla no se sabe qué escribir o elegir, y el control por voz no puede llegar al campo por su nombre.',
    focus: 'Quien usa el teclado se pierde: el foco se mueve en un orden inesperado o se detiene donde no hay nada que hacer.',
    frame:
      'Con un lector de pantalla los marcos se eligen por su nombre. Sin uno propio hay que entrar en cada uno para saber qué contiene.',
    ghost: 'El teclado puede detenerse aquí, pero el lector de pantalla calla o se contradice: no se sabe dónde se está.',
    headings:
      'Muchas personas con lector de pantalla se orientan por los encabezados. Si faltan, están vacíos o se saltan, las confunden.',
    hidden: 'Toda la página está oculta para los lectores de pantalla: para quien los usa está vacía.',
    ids: 'Etiquetas, enlaces y scripts encuentran un elemento por su ID. Si se repite, pueden llevar al elemento equivocado.',
    image: 'Quien no ve la imagen no sabe nada de ella: el lector de pantalla la salta o lee su nombre de archivo.',
    keyboard: 'Quien usa el teclado en lugar del ratón no puede alcanzarlo o manejarlo.',
    labels: 'De varias etiquetas, no todos los lectores de pantalla leen la misma: quizá solo se oiga la mitad.',
    language: 'Un lector de pantalla elige la voz por el idioma. Con el equivocado, las palabras no se entienden.',
    lists: 'Un lector de pantalla dice cuántos elementos tiene una lista y cuál se lee. Un marcado incorrecto lo impide.',
    mismatch: 'Con el control por voz se dicen las palabras que se ven. El nombre en el código es otro, y no ocurre nada.',
    motion:
      'El texto que se mueve o parpadea distrae a las personas con problemas de atención, y quien lee despacio no puede seguirlo.',
    nested:
      'Un lector de pantalla trata el contenido como una sola pieza: lo que se puede manejar dentro no se anuncia, pero recibe el foco.',
    parts:
      'Los lectores de pantalla forman listas, menús, pestañas y tablas con sus partes. Si falta alguna o está fuera de sitio, las anuncian mal.',
    regions:
      'Con un lector de pantalla se salta entre regiones como cabecera, navegación y contenido principal. Si faltan, se anidan o se repiten, confunden.',
    rotate: 'Quien tiene el dispositivo sujeto a una silla de ruedas o a una cama no puede girarlo y ve la página tumbada.',
    same: 'Los lectores de pantalla listan los enlaces sin su texto. Dos con el mismo nombre parecen llevar al mismo sitio.',
    shortcut: 'Para esa tecla, cada navegador elige un elemento distinto: se activa el equivocado.',
    skip: 'Con teclado o lector de pantalla hay que recorrer otra vez los mismos menús en cada página.',
    sound: 'Un sonido que empieza solo tapa al lector de pantalla: no se oye cómo detenerlo.',
    spacing: 'Las personas con dislexia o baja visión amplían los espacios para leer mejor. Este estilo anula sus ajustes.',
    tables: 'Un lector de pantalla nombra los encabezados de cada celda. Sin ellos, una tabla es una serie de valores sueltos.',
    target: 'Quien tiene temblor o usa una pantalla táctil con una mano no acierta en objetivos pequeños o pulsa el de al lado.',
    time: 'La página cambia mientras aún se lee, y el lector de pantalla vuelve a empezar desde arriba.',
    title: 'El título es lo primero que dice un lector de pantalla y lo que distingue una pestaña de otra.',
    twice: 'Un lector de pantalla lee dos veces seguidas las mismas palabras.',
    unseen: 'Lo que no se ha probado puede tener cualquier problema: el resultado no está completo.',
    visible: 'Un texto emergente u oculto no es una etiqueta duradera: con teclado, pantalla táctil o ampliación no se ve.',
    widget: 'Un lector de pantalla dice que está ahí, pero no de qué trata.',
    zoom: 'Las personas con baja visión amplían la página para leerla. Aquí el navegador no se lo permite.',
  },
  rules: {
    accesskeys: ['Las teclas de acceso no son únicas', 'Asigne cada tecla de acceso una sola vez o, mejor, elimínelas.'],
    'area-alt': ['Una zona pulsable de una imagen no tiene texto alternativo', 'Diga en alt adónde lleva la zona.'],
    'aria-allowed-attr': ['El rol no admite este atributo ARIA', 'Elimine el atributo o use el rol al que pertenece.'],
    'aria-allowed-role': [
      'El rol no se permite en este elemento',
      'Elimine el rol o póngalo en un div o span. Mejor aún, use el elemento HTML que ya lo tiene.',
    ],
    'aria-braille-equivalent': [
      'Un texto en braille no tiene equivalente hablado',
      'Añada aria-label o aria-roledescription, o elimine el atributo braille.',
    ],
    'aria-command-name': ['Un botón, enlace o elemento de menú no tiene nombre', 'Ponga texto dentro o nómbrelo con aria-label.'],
    'aria-conditional-attr': [
      'Un atributo ARIA contradice a su elemento',
      'Elimínelo. Una casilla o un botón de opción tiene su estado por HTML, como checked. Una fila de tabla solo puede tener aria-expanded, aria-level, aria-posinset y aria-setsize en un treegrid.',
    ],
    'aria-deprecated-role': ['El rol está obsoleto', 'Elimínelo o use el rol o elemento que lo sustituye.'],
    'aria-dialog-name': ['Un diálogo no tiene nombre', 'Apunte aria-labelledby a su encabezado o nómbrelo con aria-label.'],
    'aria-hidden-body': [
      'Toda la página está oculta para las ayudas técnicas',
      'Quite aria-hidden de body. Para ocultar lo que hay detrás de un diálogo, póngalo solo en esa parte.',
    ],
    'aria-hidden-focus': [
      'Un elemento oculto puede recibir el foco',
      'Sáquelo del orden de tabulación con tabindex="-1", desactívelo o use inert, o no lo oculte.',
    ],
    'aria-input-field-name': [
      'Un campo de entrada propio no tiene nombre',
      'Apunte aria-labelledby a su etiqueta visible o nómbrelo con aria-label.',
    ],
    'aria-meter-name': ['Un medidor no tiene nombre', 'Diga con aria-label o aria-labelledby qué mide.'],
    'aria-progressbar-name': ['Una barra de progreso no tiene nombre', 'Diga con aria-label o aria-labelledby qué avanza.'],
    'aria-prohibited-attr': [
      'Atributo ARIA no permitido',
      'Elimine el atributo y escriba el texto en la página, o dé al elemento un rol que lo permita.',
    ],
    'aria-required-attr': [
      'Falta un atributo ARIA obligatorio',
      'Añada el atributo que exige el rol o use el elemento HTML en su lugar.',
    ],
    'aria-required-children': [
      'Faltan los roles secundarios obligatorios',
      'Ponga dentro solo elementos con los roles esperados o elimine el rol.',
    ],
    'aria-required-parent': ['Falta el rol principal obligatorio', 'Envuelva el elemento en otro con el rol esperado.'],
    'aria-roledescription': [
      'Hay una descripción de rol en un elemento sin rol',
      'Dé al elemento un rol adecuado o elimine aria-roledescription.',
    ],
    'aria-roles': ['Rol ARIA no válido', 'Corrija la ortografía o elimine el rol.'],
    'aria-tab-name': ['Una pestaña no tiene nombre', 'Ponga texto dentro o nómbrela con aria-label.'],
    'aria-text': [
      'Un texto que se lee como una pieza contiene un control',
      'Elimine role="text" o saque de él el enlace o botón.',
    ],
    'aria-toggle-field-name': [
      'Una casilla, un botón de opción o un interruptor propio no tiene nombre',
      'Ponga texto dentro o nómbrelo con aria-labelledby o aria-label.',
    ],
    'aria-tooltip-name': ['Un texto emergente está vacío', 'Escriba su texto dentro o nómbrelo con aria-label.'],
    'aria-treeitem-name': ['Un elemento de un árbol no tiene nombre', 'Ponga texto dentro o nómbrelo con aria-label.'],
    'aria-valid-attr': ['Atributo ARIA no válido', 'Corrija la ortografía o elimine el atributo.'],
    'aria-valid-attr-value': [
      'Valor no válido de un atributo ARIA',
      'Use uno de los valores permitidos. Si nombra un ID, debe existir un elemento con él.',
    ],
    'audio-caption': [
      'Un audio no tiene subtítulos',
      'Ponga una transcripción al lado. Los navegadores no muestran subtítulos de un elemento audio: para mostrarlos, reproduzca la grabación en un elemento video con una pista de subtítulos.',
    ],
    'autocomplete-valid': [
      'Atributo autocomplete no válido',
      'Use un valor del estándar HTML adecuado para el campo, como email o postal-code.',
    ],
    'avoid-inline-spacing': [
      'El espaciado del texto no se puede ajustar',
      'Quite !important de line-height, letter-spacing y word-spacing en el atributo style.',
    ],
    blink: ['Texto que parpadea', 'Elimine el elemento blink y destaque el texto de otra forma.'],
    'button-name': ['Un botón no tiene nombre', 'Ponga texto dentro. Si solo tiene un icono, añada aria-label.'],
    bypass: [
      'El contenido repetido no se puede saltar',
      'Marque el contenido principal, la navegación y los encabezados, y ponga al principio un enlace para saltar.',
    ],
    'color-contrast': [
      'El texto tiene poco contraste',
      'Oscurezca el texto o aclare el fondo (o al revés): al menos 4,5 a 1, o 3 a 1 en texto grande.',
    ],
    'color-contrast-enhanced': [
      'El texto no alcanza el contraste mejorado',
      'Oscurezca el texto o aclare el fondo (o al revés): al menos 7 a 1, o 4,5 a 1 en texto grande.',
    ],
    'css-orientation-lock': [
      'La página está bloqueada en una orientación',
      'Quite la rotación de la consulta de medios; diseñe la página en vertical y en horizontal.',
    ],
    'definition-list': [
      'Una lista de descripciones tiene una estructura incorrecta',
      'Ponga en dl solo grupos de dt y dd, o elementos div que los contengan.',
    ],
    dlitem: ['Un término o una descripción está fuera de una lista de descripciones', 'Envuelva dt y dd en un elemento dl.'],
    'document-title': ['La página no tiene título', 'Escriba un elemento title que nombre primero la página y después el sitio.'],
    'duplicate-id': ['Los ID no son únicos', 'Dé a cada elemento su propio ID.'],
    'duplicate-id-active': ['Los ID de los controles no son únicos', 'Dé a cada control su propio ID.'],
    'duplicate-id-aria': [
      'Los ID que usan etiquetas o ARIA no son únicos',
      'Dé a cada elemento su propio ID y compruebe qué remite a él.',
    ],
    'empty-heading': ['Un encabezado está vacío', 'Escriba su texto o elimínelo. Una imagen dentro necesita texto alternativo.'],
    'empty-table-header': [
      'Una celda de encabezado de una tabla está vacía',
      'Escriba qué contiene la fila o columna. Para una esquina vacía use td.',
    ],
    'focus-order-semantics': [
      'Un elemento que recibe el foco no tiene rol interactivo',
      'Use un botón o enlace, o elimine tabindex.',
    ],
    'form-field-multiple-labels': ['Un campo tiene varias etiquetas', 'Únalas en una; describa el resto con aria-describedby.'],
    'frame-focusable-content': [
      'Un marco con controles está fuera del orden de tabulación',
      'Quite el tabindex negativo del marco.',
    ],
    'frame-tested': [
      'No se pudo probar el contenido de un marco',
      'Los avisos de la página dicen por qué. Analice su dirección por separado o compruébelo a mano. El atributo sandbox puede quedarse: con allow-scripts se puede probar el marco. Oculte con aria-hidden="true" un marco que solo sea decoración.',
    ],
    'frame-title': ['Un marco no tiene título', 'Diga en su atributo title qué contiene.'],
    'frame-title-unique': ['Los títulos de los marcos no son únicos', 'Dé a cada marco un título propio que diga qué contiene.'],
    'heading-order': [
      'Se salta un nivel de encabezado',
      'Use el nivel que sigue al encabezado anterior: h3 bajo h2. El tamaño se ajusta con CSS.',
    ],
    'hidden-content': ['No se probó contenido oculto', 'Muéstrelo, por ejemplo con un script del análisis, y pruebe de nuevo.'],
    'html-has-lang': ['El idioma de la página no está indicado', 'Indique lang en el elemento html, como lang="es".'],
    'html-lang-valid': ['Idioma de la página no válido', 'Use en lang un código válido como es, es-MX o en.'],
    'html-xml-lang-mismatch': ['lang y xml:lang no coinciden', 'Ponga el mismo idioma en lang y xml:lang, o elimine xml:lang.'],
    'identical-links-same-purpose': [
      'Enlaces con el mismo nombre llevan a sitios distintos',
      'Nombre cada enlace por su destino o lleve ambos al mismo.',
    ],
    'image-alt': [
      'Una imagen no tiene texto alternativo',
      'Diga en alt qué muestra o hace la imagen. Si es decorativa, deje alt vacío (alt="").',
    ],
    'image-redundant-alt': ['El texto alternativo repite el texto de al lado', 'Deje alt vacío cuando el texto ya lo dice.'],
    'input-button-name': ['Un botón de formulario no tiene etiqueta', 'Escriba su nombre en el atributo value.'],
    'input-image-alt': ['Un botón de imagen no tiene texto alternativo', 'Diga en alt qué hace el botón.'],
    label: [
      'Un campo de formulario no tiene etiqueta',
      'Añada un elemento label cuyo for sea el ID del campo. Si no hay espacio, use aria-label.',
    ],
    'label-content-name-mismatch': [
      'El nombre accesible no contiene el texto visible',
      'Empiece aria-label con el texto visible o elimínelo.',
    ],
    'label-title-only': ['Un campo de formulario no tiene etiqueta visible', 'Añada un elemento label que se pueda ver.'],
    'landmark-banner-is-top-level': [
      'La cabecera de la página está dentro de otra región',
      'Sáquela de main, de la navegación y similares.',
    ],
    'landmark-complementary-is-top-level': [
      'Un contenido complementario está dentro de otra región',
      'Saque el elemento aside de la otra región.',
    ],
    'landmark-contentinfo-is-top-level': [
      'El pie de la página está dentro de otra región',
      'Sáquelo de main, de la navegación y similares.',
    ],
    'landmark-main-is-top-level': [
      'El contenido principal está dentro de otra región',
      'Saque el elemento main de la otra región.',
    ],
    'landmark-no-duplicate-banner': [
      'La página tiene más de una región de cabecera',
      'Deje un solo header en el nivel superior; ponga los demás en section o article.',
    ],
    'landmark-no-duplicate-contentinfo': [
      'La página tiene más de una región de pie',
      'Deje un solo footer en el nivel superior; ponga los demás en section o article.',
    ],
    'landmark-no-duplicate-main': [
      'La página tiene más de una región principal',
      'Ponga todo el contenido principal en un solo elemento main.',
    ],
    'landmark-one-main': ['La página no tiene región principal', 'Envuelva el contenido principal en un elemento main.'],
    'landmark-unique': ['Las regiones necesitan nombres únicos', 'Dé un nombre a cada región del mismo tipo con aria-label.'],
    'link-in-text-block': [
      'Un enlace se distingue del texto solo por el color',
      'Subraye los enlaces en el texto, o deles un contraste de 3 a 1 con el texto y un subrayado al pasar el ratón y con el foco.',
    ],
    'link-name': [
      'Un enlace no tiene nombre',
      'Ponga dentro un texto que diga adónde lleva. Una imagen dentro necesita texto alternativo.',
    ],
    list: ['Una lista tiene elementos secundarios no válidos', 'Ponga directamente en ul u ol solo elementos li.'],
    listitem: ['Un elemento de lista está fuera de una lista', 'Envuelva los elementos li en ul u ol.'],
    marquee: ['Texto en movimiento', 'Elimine el elemento marquee y muestre el texto quieto.'],
    'meta-refresh': [
      'La página se recarga o redirige automáticamente',
      'Elimine refresh. Redirija en el servidor o deje que cada persona elija cuándo.',
    ],
    'meta-refresh-no-exceptions': [
      'La página se recarga o redirige automáticamente, aunque sea tras mucho tiempo',
      'Elimine refresh y deje que cada persona elija cuándo.',
    ],
    'meta-viewport': ['El zoom está desactivado', 'Elimine user-scalable=no, y maximum-scale menor que 2.'],
    'meta-viewport-large': ['El zoom está limitado', 'Elimine maximum-scale o póngalo en 5 o más.'],
    'nested-interactive': ['Hay controles interactivos anidados', 'Ponga los dos uno junto al otro.'],
    'no-autoplay-audio': [
      'Un audio se reproduce automáticamente durante más de 3 segundos',
      'Elimine autoplay o añada un control para detenerlo o silenciarlo.',
    ],
    'object-alt': ['Un objeto incrustado no tiene texto alternativo', 'Nómbrelo con aria-label o title.'],
    'p-as-heading': ['Un párrafo tiene aspecto de encabezado', 'Use un elemento de encabezado, h1 a h6, y dele estilo con CSS.'],
    'page-has-heading-one': [
      'La página no tiene encabezado de primer nivel',
      'Marque como h1 el título del contenido principal.',
    ],
    'presentation-role-conflict': [
      'Un elemento decorativo se expone a las ayudas técnicas',
      'Quítele tabindex y los atributos ARIA, o el rol none.',
    ],
    region: ['Hay contenido fuera de toda región', 'Póngalo en header, nav, main, aside o footer.'],
    'role-img-alt': ['Un elemento con rol de imagen no tiene texto alternativo', 'Nómbrelo con aria-label o aria-labelledby.'],
    'scope-attr-valid': ['Atributo scope no válido', 'Use scope solo en th, con row, col, rowgroup o colgroup.'],
    'scrollable-region-focusable': [
      'Una zona desplazable no es accesible con el teclado',
      'Añada a la zona tabindex="0", un rol y un nombre.',
    ],
    'select-name': ['Una lista de selección no tiene etiqueta', 'Añada un elemento label cuyo for sea el ID del campo.'],
    'server-side-image-map': ['Mapa de imagen del servidor', 'Use un elemento map con area, o enlaces sencillos.'],
    'skip-link': [
      'El destino de un enlace para saltar no existe',
      'Dé al contenido principal el ID que nombra el enlace y hágalo enfocable con tabindex="-1". Muestre el enlace mientras tenga el foco.',
    ],
    'summary-name': ['Un elemento summary no tiene nombre', 'Escriba en el elemento summary qué se abre.'],
    'svg-img-alt': [
      'Una imagen SVG no tiene texto alternativo',
      'Nómbrela con aria-label o un elemento title, u oculte la decoración con aria-hidden="true".',
    ],
    tabindex: [
      'Un tabindex positivo cambia el orden de tabulación',
      'Use tabindex="0" o ninguno, y ponga los elementos en el orden correcto en el código.',
    ],
    'table-duplicate-name': [
      'El título y el resumen de una tabla son iguales',
      'Conserve caption y elimine summary, o haga que diga otra cosa.',
    ],
    'table-fake-caption': ['Una celda se usa como título de una tabla', 'Pase su texto a un elemento caption.'],
    'target-size': [
      'Un objetivo es demasiado pequeño y está muy cerca de otros',
      'Hágalo de al menos 24 por 24 píxeles o deje más espacio a su alrededor.',
    ],
    'td-has-header': [
      'Una celda de datos de una tabla grande no tiene encabezado',
      'Use th con scope para los encabezados de filas y columnas.',
    ],
    'td-headers-attr': [
      'Una celda remite a encabezados que no están en su tabla',
      'Nombre en headers solo ID de elementos th de la misma tabla.',
    ],
    'th-has-data-cells': [
      'Un encabezado de tabla no tiene celdas de datos',
      'Corrija la tabla o scope; use td donde no sea un encabezado.',
    ],
    'valid-lang': ['Atributo lang no válido', 'Use en lang un código válido como fr o pt-BR.'],
    'video-caption': [
      'Un vídeo no tiene subtítulos',
      'Añada una pista de tipo captions con todo lo que se dice y los sonidos que importan.',
    ],
  },
}
