import type { CueSources } from "./cues.ts";

const day =
  "lunes|martes|miercoles|jueves|viernes|sabados?|domingos?|hoy|pasado manana|manana|mananas|tardes?|noches?|fin de semana|fines de semana|semana|entre semana";
const weekday = "lunes|martes|miercoles|jueves|viernes|sabado|domingo";
const named = `(?:(?:en|el|los|la|las|por|de|este|esta|un|para) )*(?:${day})(?: (?:en|por|de) la (?:manana|tarde|noche))?`;

export const spanishCues: CueSources = [
  [
    "end",
    ",+(?: ,)*",
    "si (?:ya )?no (?:hay|queda|se puede|tienen?)(?: (?:lugar|campo|espacio|cupo|nada))?(?= ,|$)",
    "(?:(?:pero )?que )?no (?:sea |es |tan |muy |demasiado )+(?:temprano|tarde|lejos|pronto)",
    "no (?:me |nos |le |les )?(?:tendra|tendran|tendria|tendrian|habra|habria|quedara|quedaria|podra|podran|podria ser|podrian? (?:dar|poner|agendar|atender|ver)|tiene algo|tienen algo|hay algo|hay cita|tiene cita|sera posible|se podra)(?: (?:usted|ustedes|algo|cita|alguna|nada|espacio|campo|lugar))*",
  ],
  [
    "wish",
    `(?:este |el )?(?:${weekday})(?: que viene| proximo)? (?:que )?no(?: es)?(?: este)? (?:, )?(?:sino )?el (?:otro|siguiente|que sigue|que viene|que entra|de la otra semana)|no (?:este |el )?(?:${weekday}) (?:, )?(?:sino )?el (?:otro|siguiente|que sigue|que viene|que entra|de la otra semana)`,
    "(?:esta semana no|no esta semana) (?:, )?(?:sino )?(?:en )?la (?:otra|siguiente|proxima|que (?:viene|sigue|entra))(?: semana)?",
    "(?:(?:y |pero |que )?(?:ella|el|ellos|mi [a-z]+|la [a-z]+|yo) )?(?:nada mas|nomas|no mas|solamente|solo|unicamente) (?:me |nos )?(?:puede[ns]?(?: [a-z]+)?|descansa[ns]?|pasa[ns]?|viene[ns]?|corre[ns]?|llevan?|traen?|recogen?|esta (?:libre|en casa|disponible)|tiene libre|sale|tengo (?:carro|ride|transporte|libre|tiempo|quien me (?:lleve|cuide [a-z ]+)))(?= (?:en |de )?(?:los |el )?(?:lunes|martes|miercoles|jueves|viernes|sabados?|domingos?)(?: |$))",
    "si no(?: hay| se puede| puede| entonces)*",
    "(?<!como )(?:cuando|lo que|la que|el que|donde) (?:usted|ustedes) (?:diga|digan|quiera|quieran|pueda|puedan|tenga|tengan)",
  ],
  [
    "reason",
    "desde (?:ayer|antier|anoche|hace|la semana pasada|el [a-z]+ pasado)|porque|ya que|puesto que|debido a|es que(?! (?:yo )?(?:puedo|quiero|necesito|quisiera))|que es (?:mi|cuando|la hora)|que ya|por que",
    "(?:me llamo|mi nombre(?: es)?|habla|de parte de|soy|nac[ií]|nacio|fecha de nacimiento|cumplo|mi cumpleanos)",
    "(?:yo )?(?:tengo|llevo|desde hace|ya van) (?:como |mas de |unos |unas |casi )*(?:un|una|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|quince|\\w+ y \\w+|\\d+) (?:dias?|semanas?|mes(?:es)?|anos?|horas?)",
  ],
  [
    "reason",
    "(?:hoy|manana) es (?:ya )?(?:lunes|martes|miercoles|jueves|viernes|sabado|domingo)",
    "(?:ya )?(?:hace|van) (?:como |casi |mas de |ya )*(?:un|una|dos|tres|cuatro|cinco|seis|ocho|quince|\\d+) (?:dias?|semanas?|mes(?:es)?|anos?)(?: que|(?= (?:me|ya|fui|estoy|estuve)))",
    "(?:ya |y )?(?:despues (?:de )?que|una vez que|cuando|en cuanto) (?:yo )?(?:deje|lleve|termine|acabe|recoja|desayune)",
    "(?:la|el|mi|un) (?:guagua|bus|camion|camioneta|autobus|ruta|taxi|micro|metro|tren|van|transporte|ride|carro) (?:me |nos )?(?:deja|pasa|llega|sale|viene|trae|lleva|recoge)",
  ],
  // How it hurts, since when, and what others did.
  [
    "reason",
    "(?:me|le|nos|se me|se le) (?:empezo|empezaron|comenzo|dio|salio|salieron|pego|hincho|inflamo|sube|baja|hincha|inflama|duerme|duermen|cae|rompio|quebro|lastime|cai|cayo)",
    "(?:me|nos) (?:iba|iban|quedo|quedaron|prometio|prometieron|dijo|dijeron) (?:en |de |a |que )*(?:(?:me|nos) )?(?:llamar|hablar|marcar|mandar|avisar|regresar la llamada|llamaba|hablaba|mandaba|avisaba)[a-z]*",
    "(?:la|el|mi|nadie|alguien) ?(?:farmacia|aseguranza|seguro|laboratorio|escuela|hospital|clinica|trabajo)? ?(?:me |nos )?(?:dijo|llamo|mando|hablo|aviso)(?! que (?:venga|viniera|puedo|necesito|me toca|en|dentro))",
    "mi (?:ultima|anterior) (?:cita|visita|consulta)|(?:perdi|falte a|tuve que cancelar)(?: (?:mi|la) cita)?",
    "(?<!(?:del|el|de|al) )(?:yo )?(?:me )?(?:tomo|desayuno|almuerzo|ceno|duermo|levanto|acuesto|estudio|limpio|cocino|cobro)(?= )",
    "(?:(?:que )?(?:trae|traigo|tiene|tengo|esta con|estoy con|anda con|ando con|sigue con|sigo con|empezo con|le (?:dio|empezo|pego)|me (?:dio|empezo|pego)) (?:mucha |mucho |un |una |muy |la |el |las |los )*(?:fiebre|calentura|tos|dolor|dolores|gripa|gripe|vomitos?|mareos?|alergia|infeccion|diarrea|ronchas|temperatura|catarro|flema))(?= desde)",
  ],
  // Off work, or resting at home.
  ["reason", `(?<=(?:^| )(?:el|este) (?:${weekday}) )(?:yo )?descanso`],
  ["reason", "(?:ayer|antier|la semana pasada|el otro dia|hace rato)(?= (?:me|yo|hable|llame|fui|vine|estuve|ya|le))"],
  ["reason", "no (?:hay|tienen?|tengo|tenemos) (?:escuela|clases?|kinder|colegio)|(?:le|les|me|nos) tocaban?"],
  [
    "cannot",
    "(?:me |nos |le |se me )?(?:viene|queda|cae|va|hace) (?:muy |medio |bien |mas )*(?:mal|dificil|complicado|pesado|imposible)",
    "no tengo (?:para pagar|dinero|permiso|chance|tiempo)",
    "(?:yo )?tampoco(?: (?:puedo|podria|se puede|me queda|voy a poder|hay|tengo))?",
    "no (?:me (?:dejan|deja|dan permiso) (?:de )?)?(?:salir|salgo|llego|termino|regreso|me desocupo)(?= (?:hasta|antes) )",
    "(?:eso |ese dia |ese |que )?es (?:el )?(?:dia (?:de )?)?(?:fiesta|asueto|accion de gracias|thanksgiving|navidad|ano nuevo|feriado|festivo|dia festivo|dia feriado)",
    "(?:me |nos |le )toca (?:la |el |mi |de )?(?:dialisis|trabajar|turno|clases?|terapia|quimio|escuela|guardia|cuidar|infusion|ir|hacer)",
    "no (?:me |nos |la |lo )(?:pong[a-z]*|agend[a-z]*|des?|den|apunt[a-z]*)(?: (?:para|en))?",
    "no (?:tengo|hay) (?:quien|como|con quien|carro|transporte|manera|ride)(?: (?:que )?(?:me|nos) [a-z]+)?",
    "(?:que )?(?:tengo|estoy con|ando con|traigo|ando|estoy|me siento|empece con|empece|tiene|esta con) (?:mucha |mucho |un |una |muy |la |el )*(?:fiebre|calentura|tos|dolor|gripa|gripe|mal|mala|malo|enferm[oa]|vomit\\w+|mareos?|mareado|mareada|alergia|infeccion)",
    "(?:yo |ya |ese dia |pero )*no (?:abren?|atienden?|puedo|podria|podemos|puede|se puede|voy a poder|me (?:queda|sirve|conviene|da|funciona|viene|va|es posible)|voy a estar|estoy|estare|vamos a estar|hay manera|alcanzo|alcanzaria|llego|me da tiempo|llegaria|me gusta|quiero)(?: (?:ir|venir|bien|porque))*(?! (?:manejar|caminar|oir|escuchar|dormir|esperar|respirar|mover))",
    "(?:yo )?(?:estoy|voy a estar|estare|ando|andare) (?:muy |bien |siempre )?(?:ocupad[oa]|fuera|trabajando|en (?:la escuela|clase|clases|el trabajo|dialisis))",
    "(?:yo )?(?:tengo|siempre tengo) (?:una? |otra )?(?:cita|reunion|junta|viaje|examen|boda|misa|iglesia|trabajo|clases?|dialisis|terapia|corte|otra cita|un compromiso|que trabajar|compromiso)|(?:yo )?(?<!del |el |de |mi |al |su )trabajo",
    "(?:es )?imposible|esta (?:dificil|complicado|ocupado|lleno)|se me (?:hace dificil|complica|dificulta)|es (?:muy |demasiado )(?:temprano|tarde)",
    "no,? sino|no mejor|no mas bien",
    "no(?= (?:porque|ya que|es que|por que|el|la|los|las|de|en|a|este|esta|por|hay|lunes|martes|miercoles|jueves|viernes|sabado|domingo|manana|pasado|,)(?= |$)|$)",
  ],
  [
    "not",
    "(?:cambi|muev|mov|pas)[a-z]* (?:la |mi |esa )?(?:cita )?(?:del?|de las?) (.{1,40}?) (?:al?|para(?: el| las?)?)",
    "la cita (?:del?|de las?) (.{1,30}?) (?:la )?(?:quiero|quisiera|necesito|puedo|me gustaria|hay que) (?:cambi|mov|pas|pon)[a-z]* (?:al?|para)",
    `en (?:vez|lugar) del? (${named})`,
    "en (?:vez|lugar) de (las? [a-z0-9]+(?: y [a-z]+)?)(?= a las? )",
    "en (?:vez|lugar) del?",
    "(?:pero |y )?((?:el |este )?(?:lunes|martes|miercoles|jueves|viernes|hoy|manana)) es (?:el )?(?:dia )?(?:de )?(?:fiesta|asueto|accion de gracias|thanksgiving|navidad|feriado|festivo)",
    `ni (${named}(?: ni ${named})+)`,
    `(?:(?:que |pero )?no sea|excepto|salvo|menos|que no sean|nada (?:de|en)|a excepcion de(?:l)?) (${named}(?: (?:o|y|ni) ${named})*)`,
  ],
  [
    "agreed",
    "(?:me |nos |le )?(?:esta|estaria|queda|quedaria|conviene|sirve|viene|va|funciona|es|seria|parece)(?: (?:muy |mas |super |mejor |re )?(?:bien|perfecto|mejor|ideal|comodo|facil|bueno|excelente))|me (?:conviene|sirve|funciona|late|acomoda)|perfecto|excelente",
    "(?:yo )?(?:estoy|ando|quedo) (?:libre|disponible|desocupad[oa])(?= ,|$| asi| pero)|(?:si )?puedo(?= ,|$| asi| pero)|descanso(?= ,|$| asi| pero)",
  ],
  [
    "wish",
    "asi que|entonces|pero|mejor|tal vez|quizas?|tipo|como a|a lo mejor|puede ser|que tal|deme|dame|pongame|ponga|agendeme|apunteme|busqueme|digame|por favor|a ver",
    "(?:antes|despues|luego) de (?:eso|ahi)",
    "(?:nada mas|nomas|solo|solamente) (?:tengo|puedo|me dan|estoy)|me l[oa] (?:pone|da|agenda|cambia|pasa|apunta|deja)n?",
    "lo mas (?:tarde|temprano)(?= (?:que|seria|sera|es|puede ser) )",
    "(?<=(?:asi que|entonces) )(?:ya )?(?:yo )?(?:llego|vengo|paso|voy)(?: a llegar| alla| ahi)?",
    "(?:ya )?(?:voy|vamos) (?:para|pa) (?:alla|ya)",
    "(?:yo )?(?:estoy|voy a estar|estare|ando) (?:alla|aca|aqui|por aqui|en casa|en la ciudad)(?= (?:del?|el|los|desde)(?: |$))",
    "(?:y |yo |es que |la |lo |solo |solamente |nada mas |si )*(?:puedo|podria|podriamos|puede|quiero|quisiera|queria|necesito|prefiero|preferiria|pudiera|busco|ando buscando|ocupo|espero|pienso|creo|digo|dije|queremos|necesitamos)",
    "(?:(?:mi|el) [a-z]+ )?(?:me|nos) (?:da|dan|dio|dieron) (?:permiso|chance|libre|el dia libre)",
    "(?:me (?:gustaria|dijo|dijeron|toca|tocaria|interesa|pidio|mandaron))|(?:le|les) (?:gustaria|pido)",
    "(?:tiene|tienen|tendra|tendran|tendria|hay|habra|habria)(?: algo| cita| espacio| lugar| campo| cupo)*",
    "(?:l[oa]s? )?(?:tengo|tenemos|tiene) libres?|(?:yo )?no trabajo(?= (?:los|el|en) )",
    `(?:y |que |pero )*(?:ella|el|mi [a-z]+)(?: si| ya)? (?:descansa|esta libre|no trabaja|puede (?:llevarme|traerme)|me (?:puede (?:llevar|traer)|lleva|trae))(?= (?:el|los|la|en|por|a|de|entre|despues|antes|manana|hoy|${weekday}) )`,
    "(?:yo )?(?:estoy|estaria|estare|quedo|ando|tengo) (?:libre|disponible|desocupad[oa]|tiempo|chance|la (?:manana|tarde)|el (?:dia|lunes|martes|miercoles|jueves|viernes|sabado|domingo)|los|todo)|(?:yo )?(?:descanso|tengo descanso)",
  ],
  [
    "reason",
    "(?:me|nos) (?:hacen|sacan|ponen|revisan|quitan|entregan|cambio|mudo|mudamos|caso|casamos|voy|vamos|van a|toca (?:trabajar|turno))|(?:llega|viene|sale) mi|vuelo|opero|quede (?:de|con)",
    "me dieron (?:la |una )?cita|(?:la|mi) cita (?:era|estaba|fue)|tenia (?:una |la |mi )?cita|(?:el|mi) (?:bus|camion|ride|transporte|turno|van) (?:pasa|llega|sale|viene)",
    "(?:yo |y |ya |que |pues |cuando |a las? )?(?:tengo|(?<!del |el |de |mi |al |su )trabajo|salgo|entro|llego|recojo|estoy|ando|vivo|cuido|voy|llevo|regreso|vuelvo|viajo|dejo|termino|empiezo|vengo|hago|manejo|vine|fui|hable|llame|me (?:duele|duelen|siento|operan|operaron|pagan|dan|cai|caigo|quede|lleva|llevan|trae|traen)|se me (?:acaba|acaban|termina|terminan|acabo|olvido)|no (?:tengo|manejo|trabajo))",
    "(?<!(?:para|con|de) )mi (?:hij[oa]|espos[oa]|marido|mujer|mama|papa|niet[oa]|herman[oa]|suegr[oa]|patron|jef[ea]|turno|cun?ad[oa]|vecin[oa]|nuera|yerno|senora|nin[oa]|seguro|carro)(?! (?:puede|solo|dice|dijo|podria|quiere|necesita|prefiere|quisiera|el|los|manana|en|por))(?: [a-z]+)?",
  ],
];
