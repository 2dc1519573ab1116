export const pseudoLanguage: string;
export function pseudo(message: string): string;
