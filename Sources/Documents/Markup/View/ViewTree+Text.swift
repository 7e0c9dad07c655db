import Basics
import Formats

extension ViewTree {
  /// The elements with an id, each id once. Text of nested elements is repeated, so its total is limited; further text
  /// is cut.
  var elements: [ViewElement] {
    let ends = ends
    var ids: Set<String> = []
    var elements: [ViewElement] = []
    var room = Limits.elementBytes
    for (index, node) in nodes.enumerated() {
      guard case .open(let element) = node, let id = element.id, ids.insert(id).inserted else { continue }
      let content = nodes[index + 1..<(ends[index] ?? nodes.count)]
      let text = ViewTree.text(content, room: room)
      room -= text.utf8.count
      let html = ViewTree.html(content, in: element, room: room)
      room -= html.utf8.count
      elements.append(
        ViewElement(id: id, textContent: text, innerHTML: html, isHidden: element["hidden"] != nil))
    }
    return elements
  }

  /// The text of the script blocks to run: inline ones with a JavaScript type, outside
  /// elements whose content is only text or not part of the page.
  var scripts: [String] {
    var scripts: [String] = []
    var inert = 0
    var names: [String] = []
    for (index, node) in nodes.enumerated() {
      switch node {
      case .open(let element):
        names.append(element.name)
        if ViewTree.inert.contains(element.name) { inert += 1 }
        if inert == 0, element.isScript {
          let text = ViewTree.text(nodes[index + 1..<end(of: index)], room: .max)
          if text.utf8.contains(where: { $0 > 0x20 }) { scripts.append(text) }
        }
      case .close: if let name = names.popLast(), ViewTree.inert.contains(name) { inert -= 1 }
      case .text: break
      }
    }
    return scripts
  }

  /// Elements whose content is only text or not part of the page, so that scripts in it do not run.
  private static let inert: Set<String> = [
    "template", "noscript", "noembed", "noframes", "textarea", "title", "xmp", "iframe", "plaintext",
  ]

  /// Returns all text in the nodes, including that of scripts (DOM, "descendant text content"), cut to `room` bytes.
  private static func text(_ nodes: ArraySlice<Node>, room: Int) -> String {
    var result = ""
    for case .text(let text) in nodes {
      guard result.utf8.count + text.utf8.count <= room else {
        return result + SourceCut.cut(text, to: room - result.utf8.count).text
      }
      result += text
    }
    return result
  }

  /// Returns the nodes as HTML (HTML, "Serializing HTML fragments"), cut to `room` bytes.
  private static func html(_ nodes: ArraySlice<Node>, in parent: Element, room: Int) -> String {
    var result = ""
    var open = [parent]
    for node in nodes {
      switch node {
      case .open(let element):
        result += "<" + element.name
        for attribute in element.attributes {
          result += " \(attribute.name)=\"" + escaped(attribute.value, isAttribute: true) + "\""
        }
        result += ">"
        open.append(element)
      case .text(let text): result += open.last?.isRaw == true ? text : escaped(text, isAttribute: false)
      case .close: if let element = open.popLast(), !element.isVoid { result += "</" + element.name + ">" }
      }
      if result.utf8.count > room { return String(SourceCut.cut(result, to: room).text) }
    }
    return result
  }

  /// Escapes text or the value of an attribute.
  private static func escaped(_ text: String, isAttribute: Bool) -> String {
    guard text.utf8.contains(where: { "&<>\"".utf8.contains($0) || $0 == 0xC2 }) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "\u{A0}": result += "&nbsp;"
      case "\"" where isAttribute: result += "&quot;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension ViewTree.Element {
  /// The values of `type` with which a script block is JavaScript.
  private static let scriptTypes: Set<String> = [
    "", "text/javascript", "application/javascript", "module",
  ]

  /// Whether the element is a script block that can run.
  fileprivate var isScript: Bool {
    guard name == "script", self["src"] == nil else { return false }
    let type = (self["type"] ?? "").lowercased()
    return Self.scriptTypes.contains(String(type.drop { $0 == " " }.prefix { $0 != " " && $0 != ";" }))
  }
}
