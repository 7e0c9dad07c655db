/// Converts letters to their form without case and accents. This is the only folding: for the search index,
/// for the words of queries, for matches marked in text, and for names that are compared.
///
/// A letter is converted with Unicode's tables: lower case (`SpecialCasing.txt`), then its canonical decomposition
/// (`UnicodeData.txt`) without accents. Accents are the marks of the combining classes 1, 7, 10 to 36 and 200 to 240.
/// So é becomes e, ё becomes е and й becomes и. The points of Hebrew and the vowel signs of Arabic are dropped, while
/// the vowels of Indian scripts stay. Ligatures and letters that are often typed as others are in the table too: ß, æ,
/// ø, ł.
enum SearchFolding {
  /// Appends a character in its compared form; accents are dropped.
  static func append(_ scalar: Unicode.Scalar, _ put: (UInt8) -> Void) {
    let value = scalar.value
    if value < 0x80 {
      put(UInt8(value) | (0x41...0x5A ~= value ? 0x20 : 0))
    } else if value < 0x800 {
      var packed = short[Int(value) - 0x80]
      while packed != 0 {
        put(UInt8(packed & 0xFF))
        packed >>= 8
      }
    } else {
      folded(scalar).forEach(put)
    }
  }

  /// The folded bytes of two-byte characters, which most letters with accents are: up to eight bytes, the first one
  /// lowest.
  private static let short: [UInt64] = (0x80..<0x800).map { value in
    let bytes = Unicode.Scalar(UInt32(value)).map(folded) ?? []
    return bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Returns the UTF-8 of a character in its compared form; empty for an accent.
  private static func folded(_ scalar: Unicode.Scalar) -> [UInt8] {
    let value = scalar.value
    // Full-width letters and digits become the plain ones.
    if (0xFF01...0xFF5E).contains(value) {
      let plain = UInt8(value - 0xFEE0)
      return [plain | (0x41...0x5A ~= plain ? 0x20 : 0)]
    }
    if isAccent(scalar) { return [] }
    if let kana = KanaFolding.folded(scalar) { return kana.flatMap { String($0).utf8 } }
    if SearchText.standsAlone(scalar) { return Array(String(scalar).utf8) }
    var bytes: [UInt8] = []
    for scalar in scalar.properties.lowercaseMapping.unicodeScalars where !isAccent(scalar) {
      if let known = table[scalar] { bytes += known } else { bytes += String(scalar).utf8 }
    }
    return bytes
  }

  /// Whether a character is a mark above, below or through a letter. Tatweel, which makes an Arabic word
  /// longer, counts as one.
  private static func isAccent(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.canonicalCombiningClass.rawValue {
    case 0: scalar == "\u{640}"
    case 1, 7, 10...36, 200...240: true
    default: false
    }
  }

  private static let table: [Unicode.Scalar: [UInt8]] = {
    var table: [Unicode.Scalar: [UInt8]] = [:]
    for entry in entries.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
      let scalars = entry.unicodeScalars
      guard let colon = scalars.firstIndex(of: ":") else { continue }
      let bytes = Array(String(scalars[..<colon]).utf8)
      for scalar in scalars[scalars.index(after: colon)...] { table[scalar] = bytes }
    }
    return table
  }()

  /// The replacements, each with the lowercase letters that it replaces: `a:àáâ`. Generated from Unicode 14.
  private static let entries = """
    ss:ß a:àáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặ ae:æǣǽ c:çćĉċčḉ e:èéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ i:ìíîïĩīĭįıǐȉȋɨḭḯỉị
    d:ðďđɖḋḍḏḑḓ n:ñńņňŉǹṅṇṉṋ o:òóôõöøōŏőơǒǫǭǿȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợ u:ùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự
    y:ýÿŷȳẏẙỳỵỷỹ th:þ g:ĝğġģǧǵḡ h:ĥħȟḣḥḧḩḫẖ ij:ĳ j:ĵǰ k:ķǩḱḳḵ l:ĺļľŀłḷḹḻḽ oe:œ r:ŕŗřȑȓṙṛṝṟ s:śŝşšſșṡṣṥṧṩẛ
    t:ţťŧțṫṭṯṱẗ w:ŵẁẃẅẇẉẘ z:źżžẑẓẕ b:ƀḃḅḇ dz:ǆǳ lj:ǉ nj:ǌ ʒ:ǯ ʹ:ʹ ι:ΐίϊἰἱἲἳἴἵἶἷὶίιῐῑῒΐῖῗ
    α:άἀἁἂἃἄἅἆἇὰάᾀᾁᾂᾃᾄᾅᾆᾇᾰᾱᾲᾳᾴᾶᾷ ε:έἐἑἒἓἔἕὲέ η:ήἠἡἢἣἤἥἦἧὴήᾐᾑᾒᾓᾔᾕᾖᾗῂῃῄῆῇ υ:ΰϋύὐὑὒὓὔὕὖὗὺύῠῡῢΰῦῧ σ:ς
    ο:όὀὁὂὃὄὅὸό ω:ώὠὡὢὣὤὥὦὧὼώᾠᾡᾢᾣᾤᾥᾦᾧῲῳῴῶῷ ϒ:ϓϔ и:йѝӣӥ е:ѐёӗ г:ѓ і:ї к:ќ у:ўӯӱӳ ѵ:ѷ ж:ӂӝ а:ӑӓ ә:ӛ з:ӟ о:ӧ
    ө:ӫ э:ӭ ч:ӵ ы:ӹ \u{627}:\u{622}\u{623}\u{625} \u{648}:\u{624} \u{64A}:\u{626} \u{6D5}:\u{6C0}
    \u{6C1}:\u{6C2} \u{6D2}:\u{6D3} \u{928}:\u{929} \u{930}:\u{931} \u{933}:\u{934} \u{915}:\u{958}
    \u{916}:\u{959} \u{917}:\u{95A} \u{91C}:\u{95B} \u{921}:\u{95C} \u{922}:\u{95D} \u{92B}:\u{95E}
    \u{92F}:\u{95F} \u{9C7}\u{9BE}:\u{9CB} \u{9C7}\u{9D7}:\u{9CC} \u{9A1}:\u{9DC} \u{9A2}:\u{9DD}
    \u{9AF}:\u{9DF} \u{A32}:\u{A33} \u{A38}:\u{A36} \u{A16}:\u{A59} \u{A17}:\u{A5A} \u{A1C}:\u{A5B}
    \u{A2B}:\u{A5E} \u{B47}\u{B56}:\u{B48} \u{B47}\u{B3E}:\u{B4B} \u{B47}\u{B57}:\u{B4C} \u{B21}:\u{B5C}
    \u{B22}:\u{B5D} \u{B92}\u{BD7}:\u{B94} \u{BC6}\u{BBE}:\u{BCA} \u{BC7}\u{BBE}:\u{BCB}
    \u{BC6}\u{BD7}:\u{BCC} \u{C46}\u{C56}:\u{C48} \u{CBF}\u{CD5}:\u{CC0} \u{CC6}\u{CD5}:\u{CC7}
    \u{CC6}\u{CD6}:\u{CC8} \u{CC6}\u{CC2}:\u{CCA} \u{CC6}\u{CC2}\u{CD5}:\u{CCB} \u{D46}\u{D3E}:\u{D4A}
    \u{D47}\u{D3E}:\u{D4B} \u{D46}\u{D57}:\u{D4C} \u{DD9}\u{DCA}:\u{DDA} \u{DD9}\u{DCF}:\u{DDC}
    \u{DD9}\u{DCF}\u{DCA}:\u{DDD} \u{DD9}\u{DDF}:\u{DDE} \u{F42}\u{FB7}:\u{F43} \u{F4C}\u{FB7}:\u{F4D}
    \u{F51}\u{FB7}:\u{F52} \u{F56}\u{FB7}:\u{F57} \u{F5B}\u{FB7}:\u{F5C} \u{F40}\u{FB5}:\u{F69}
    \u{F71}\u{F72}:\u{F73} \u{F71}\u{F74}:\u{F75} \u{FB2}\u{F80}:\u{F76} \u{FB3}\u{F80}:\u{F78}
    \u{F71}\u{F80}:\u{F81} \u{F92}\u{FB7}:\u{F93} \u{F9C}\u{FB7}:\u{F9D} \u{FA1}\u{FB7}:\u{FA2}
    \u{FA6}\u{FB7}:\u{FA7} \u{FAB}\u{FB7}:\u{FAC} \u{F90}\u{FB5}:\u{FB9} \u{1B05}\u{1B35}:\u{1B06}
    \u{1B07}\u{1B35}:\u{1B08} \u{1B09}\u{1B35}:\u{1B0A} \u{1B0B}\u{1B35}:\u{1B0C} \u{1B0D}\u{1B35}:\u{1B0E}
    \u{1B11}\u{1B35}:\u{1B12} \u{1B3A}\u{1B35}:\u{1B3B} \u{1B3C}\u{1B35}:\u{1B3D} \u{1B3E}\u{1B35}:\u{1B40}
    \u{1B3F}\u{1B35}:\u{1B41} \u{1B42}\u{1B35}:\u{1B43} f:ḟ m:ḿṁṃ p:ṕṗ v:ṽṿ x:ẋẍ ρ:ῤῥ ff:ﬀ fi:ﬁ fl:ﬂ ffi:ﬃ
    ffl:ﬄ st:ﬅﬆ \u{5D9}:\u{FB1D}\u{FB39} \u{5F2}:\u{FB1F} \u{5E9}:\u{FB2A}\u{FB2B}\u{FB2C}\u{FB2D}\u{FB49}
    \u{5D0}:\u{FB2E}\u{FB2F}\u{FB30} \u{5D1}:\u{FB31}\u{FB4C} \u{5D2}:\u{FB32} \u{5D3}:\u{FB33}
    \u{5D4}:\u{FB34} \u{5D5}:\u{FB35}\u{FB4B} \u{5D6}:\u{FB36} \u{5D8}:\u{FB38} \u{5DA}:\u{FB3A}
    \u{5DB}:\u{FB3B}\u{FB4D} \u{5DC}:\u{FB3C} \u{5DE}:\u{FB3E} \u{5E0}:\u{FB40} \u{5E1}:\u{FB41}
    \u{5E3}:\u{FB43} \u{5E4}:\u{FB44}\u{FB4E} \u{5E6}:\u{FB46} \u{5E7}:\u{FB47} \u{5E8}:\u{FB48}
    \u{5EA}:\u{FB4A}
    """
}
