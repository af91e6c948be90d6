/** "+1 201 555 0127"; a number in another form as it is. */
export const formatPhone = (number: string): string => number.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, "+1 $1 $2 $3");
