import Interface
import Messages
import Storage

extension StoreAccess {
  func perform(_ effect: SearchEffect) {
    switch effect {
    case .loadNames(let request):
      read({ store throws(StoreFailure) in try store.search.names() }) { [loop] names in
        loop.happened(.search(.namesLoaded(request, names)))
      }
    case .findUnread(let query, let key, let forward, let request):
      search(
        query,
        { store throws(StoreFailure) in
          try store.lists.nextUnread(after: key, query: query, forward: forward)
        }
      ) { [loop] found in loop.happened(.search(.unreadFound(request, found))) }
    case .findHits(let query):
      search(
        query,
        { store throws(StoreFailure) in
          try store.lists.hits(query, limit: InboxQuery.mostHits + 1)
        }
      ) { [loop] keys in loop.happened(.search(.hitsFound(query, keys))) }
    }
  }
}
