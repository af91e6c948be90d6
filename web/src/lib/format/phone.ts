/** "+1 201 555 0127", also of "12015550127", as carriers give it; a number in another form as it is. */
export const formatPhone = (number: string): string => number.replace(/^\+?1(\d{3})(\d{3})(\d{4})$/, "+1 $1 $2 $3");

export const phoneLink = (number: string): string => `tel:${formatPhone(number).replaceAll(/[^+\d]/g, "")}`;
