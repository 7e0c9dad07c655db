import Basics
import Formats
import Screen

extension ViewTree {
  /// Applies a script's change. The change is cut if the view would exceed the size limit of views.
  mutating func apply(_ change: ViewChange) {
    switch change {
    case .text(let id, let text):
      guard let index = fillable(id) else { return }
      replaceContent(of: index, with: [])
      let kept = cut(text)
      if !kept.isEmpty { replaceContent(of: index, with: [.text(String(kept))]) }
    case .html(let id, let html):
      guard let index = fillable(id), let element = element(at: index) else { return }
      replaceContent(of: index, with: [])
      let kept = cut(html)
      guard !kept.isEmpty else { return }
      guard !element.isRaw else { return replaceContent(of: index, with: [.text(String(kept))]) }
      let fragment = ViewTree(fragment: kept)
      for note in fragment.notes { add(note) }
      replaceContent(of: index, with: fragment.nodes)
    case .hidden(let id, let isHidden):
      guard let index = index(of: id) else { return }
      update(index) { element in
        element.attributes.removeAll { $0.name == "hidden" }
        if isHidden { element.attributes.append(HTMLAttribute(name: "hidden", value: "")) }
      }
    case .clickable(let id, let isClickable):
      guard let index = index(of: id) else { return }
      update(index) { $0.handler = isClickable ? .script : .none }
    }
  }

  /// Returns the index of the element with this id, or `nil` if there is none or it cannot have content.
  private func fillable(_ id: String) -> Int? {
    index(of: id).flatMap { element(at: $0)?.isVoid == false ? $0 : nil }
  }

  /// Returns the part of the text for which the view has room, and adds a note if it was cut.
  private mutating func cut(_ text: String) -> Substring {
    let (kept, note) = SourceCut.cut(text, to: max(0, Limits.markupBytes - bytes))
    if note != nil { add(Block(.note("[Cut here: the view's scripts wrote too much]"))) }
    return kept
  }
}
