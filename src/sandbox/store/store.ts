export interface Store { readonly close: () => void }
